/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.benchmarks.harness.Contents;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.HdrHistogram.Histogram;

/**
 * Datagrams over the loopback interface, one for each message, polled at both ends. UDP has neither flow control nor
 * acknowledgements. To avoid losses, the receiver regularly sends a datagram with the number of received messages, and
 * the sender stays within a window of that.
 */
final class Udp extends BufferTransport {
    private static final int MOST_UNDER_WAY = 4096;
    private static final int CREDITS = 8; // per window

    /** Same as the embedded device's. */
    private static final int BUFFER_BYTES = 4 << 20;

    private static final int LOOKS = 1 << 14;
    private static final long LOST_NANOS = 30_000_000_000L;

    private final DatagramChannel channel;
    private final int window;
    private final int creditEach;
    private final ByteBuffer credit = Contents.allocate(Long.BYTES);

    Udp(Link link, int size) throws IOException {
        super(size);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        channel = DatagramChannel.open()
                .setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES)
                .setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES)
                .bind(new InetSocketAddress(loopback, 0));
        int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        channel.connect(new InetSocketAddress(loopback, Integer.parseInt(link.exchange(Integer.toString(port)))));
        channel.configureBlocking(false);
        // Linux counts the memory of packets including the kernel's overhead; both ends have the same buffer size.
        int fits = channel.getOption(StandardSocketOptions.SO_RCVBUF) / (1024 + 2 * size);
        window = Math.max(CREDITS, Math.min(MOST_UNDER_WAY, fits));
        creditEach = window / CREDITS;
    }

    @Override
    public void send(long messages) throws IOException {
        long arrived = 0;
        for (long sent = 0; sent < messages; sent++) {
            if (sent - arrived == window) {
                read(credit);
                arrived = credit.getLong(0);
            }
            write(source);
        }
        long told = messages - messages % creditEach;
        while (arrived < told) { // leaves no credit to be read by the next call
            read(credit);
            arrived = credit.getLong(0);
        }
    }

    @Override
    public void receive(long messages) throws IOException {
        for (long i = 1; i <= messages; i++) {
            read(target);
            if (i % creditEach == 0) {
                credit.putLong(0, i);
                write(credit);
            }
        }
    }

    @Override
    public void ping(long messages, Histogram roundTrips) throws IOException {
        for (long i = 0; i < messages; i++) {
            long start = System.nanoTime();
            write(source);
            read(target);
            roundTrips.recordValue(System.nanoTime() - start);
        }
    }

    @Override
    public void pong(long messages) throws IOException {
        for (long i = 0; i < messages; i++) {
            read(target);
            write(source);
        }
    }

    private void write(ByteBuffer message) throws IOException {
        message.clear();
        while (channel.write(message) == 0) {
            // the socket's buffer is full
        }
    }

    private void read(ByteBuffer message) throws IOException {
        message.clear();
        for (int i = 0; i < LOOKS; i++) {
            if (channel.read(message) != 0) {
                return;
            }
        }
        long start = System.nanoTime();
        while (System.nanoTime() - start < LOST_NANOS) {
            for (int i = 0; i < LOOKS; i++) {
                if (channel.read(message) != 0) {
                    return;
                }
            }
        }
        throw new IOException("a datagram was lost");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
