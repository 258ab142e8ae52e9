/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.benchmarks.harness.Contents;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.HdrHistogram.Histogram;

/** A TCP connection over the loopback interface: one write and, as far as TCP allows, one read per message. */
final class Tcp implements Transport {
    private final SocketChannel channel;
    private final ByteBuffer source;
    private final ByteBuffer target;

    Tcp(Link link, boolean client, int size, boolean blocking) throws IOException {
        source = Contents.allocate(size);
        target = Contents.allocate(size);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        if (client) {
            channel = SocketChannel.open(new InetSocketAddress(loopback, Integer.parseInt(link.hear())));
        } else {
            try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0))) {
                link.tell(Integer.toString(((InetSocketAddress) server.getLocalAddress()).getPort()));
                channel = server.accept();
            }
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(blocking);
    }

    @Override
    public void prepare(long seed) {
        Contents.fill(source, seed);
        Contents.clear(target);
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
                throw new EOFException("the TCP connection was closed");
            }
        }
    }

    @Override
    public void check(long messages) {
        Contents.check(target, source);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
