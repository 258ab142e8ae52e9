/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/**
 * A stream between two processes, by TCP over the loopback interface or a Unix-domain socket: one write and, if
 * possible, one read per message.
 */
final class NioStream extends BufferTransport {
    private final SocketChannel channel;

    private NioStream(SocketChannel channel, int size, boolean blocking) throws IOException {
        super(size);
        this.channel = channel;
        channel.configureBlocking(blocking);
    }

    static NioStream tcp(Link link, boolean client, int size, boolean blocking) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        SocketChannel channel;
        if (client) {
            channel = SocketChannel.open(new InetSocketAddress(loopback, Integer.parseInt(link.hear())));
        } else {
            try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0))) {
                link.tell(Integer.toString(((InetSocketAddress) server.getLocalAddress()).getPort()));
                channel = server.accept();
            }
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new NioStream(channel, size, blocking);
    }

    /** Opens a Unix-domain socket (JEP 380). */
    static NioStream unix(Link link, boolean client, int size, boolean blocking) throws IOException {
        if (client) {
            return new NioStream(SocketChannel.open(UnixDomainSocketAddress.of(link.hear())), size, blocking);
        }
        Path folder = Files.createTempDirectory("verbs4j");
        Path path = folder.resolve("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            link.tell(path.toString());
            return new NioStream(server.accept(), size, blocking);
        } finally {
            Files.deleteIfExists(path);
            Files.delete(folder);
        }
    }

    @Override
    public void send(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            write();
        }
    }

    @Override
    public void receive(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            read();
        }
    }

    @Override
    public void ping(long messages, Histogram roundTrips) throws IOException {
        for (long i = 0; i < messages; i++) {
            long start = System.nanoTime();
            write();
            read();
            roundTrips.recordValue(System.nanoTime() - start);
        }
    }

    @Override
    public void pong(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            read();
            write();
        }
    }

    private void write() throws IOException {
        source.clear();
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    private void read() throws IOException {
        target.clear();
        while (target.hasRemaining()) {
            if (channel.read(target) < 0) {
                throw new EOFException("the connection was closed");
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
