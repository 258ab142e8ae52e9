/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A connection to another process of a domain: frames of a length, a type and a content, both ways.
 *
 * <p>Neither direction waits for ever where that is not asked for. One thread at a time may send, and one receive.
 */
final class FrameChannel implements AutoCloseable {
    /** Longest frame: a packet of the largest MTU, and more than its headers. */
    static final int CAPACITY = 8192;

    static final long FOR_EVER = Long.MAX_VALUE;

    private static final int HEAD = Integer.BYTES + 1;

    private final SocketChannel channel;
    private final Selector readable;
    private final Selector writable;
    private final ByteBuffer out = ByteBuffer.allocateDirect(CAPACITY);
    private final ByteBuffer in = ByteBuffer.allocateDirect(CAPACITY);

    FrameChannel(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        readable = Selector.open();
        writable = Selector.open();
        channel.register(readable, SelectionKey.OP_READ);
        channel.register(writable, SelectionKey.OP_WRITE);
    }

    /** Connects, or fails at once. */
    static FrameChannel connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(java.net.StandardProtocolFamily.UNIX);
        boolean complete = false;
        try {
            channel.configureBlocking(false); // or it would wait where the other process does not accept
            if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
                throw new IOException("no connection at once to " + socket);
            }
            FrameChannel frames = new FrameChannel(channel);
            complete = true;
            return frames;
        } finally {
            if (!complete) {
                channel.close();
            }
        }
    }

    /** Begins a frame; its content goes into the buffer that this returns. */
    ByteBuffer begin(int type) {
        out.clear();
        return out.position(Integer.BYTES).put((byte) type);
    }

    /** Sends the frame that was begun. */
    void send(long timeoutNanos) throws IOException {
        out.flip();
        out.putInt(0, out.limit());
        long end = end(timeoutNanos);
        while (out.hasRemaining()) {
            if (channel.write(out) == 0) {
                await(writable, end);
            }
        }
    }

    /** Waits for a frame; answers its type. Its content is what remains in {@link #content()}. */
    int receive(long timeoutNanos) throws IOException {
        long end = end(timeoutNanos);
        in.clear();
        fill(Integer.BYTES, end);
        int length = in.getInt(0);
        if (length < HEAD || length > CAPACITY) {
            throw new IOException("a frame of " + length + " bytes");
        }
        fill(length, end);
        in.flip().position(Integer.BYTES);
        return in.get();
    }

    /** The content of the frame that was received last. */
    ByteBuffer content() {
        return in;
    }

    private void fill(int length, long end) throws IOException {
        in.limit(length);
        while (in.hasRemaining()) {
            int n = channel.read(in);
            if (n < 0) {
                throw new EOFException("the other process has closed the connection");
            }
            if (n == 0) {
                await(readable, end);
            }
        }
    }

    private static long end(long timeoutNanos) {
        return timeoutNanos == FOR_EVER ? FOR_EVER : System.nanoTime() + timeoutNanos;
    }

    private static void await(Selector selector, long end) throws IOException {
        long millis = 0; // for ever
        if (end != FOR_EVER) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new IOException("the other process does not answer");
            }
            millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(left));
        }
        selector.select(millis);
        selector.selectedKeys().clear();
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("interrupted");
        }
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() {
        try {
            channel.close();
            readable.close();
            writable.close();
        } catch (IOException e) {
            // it is of no use any more in either case
        }
    }
}
