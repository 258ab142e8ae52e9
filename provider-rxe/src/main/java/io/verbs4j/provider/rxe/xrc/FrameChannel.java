/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.provider.rxe.base.Interrupts;
import io.verbs4j.provider.rxe.base.LateException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
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

    private static final long LONGEST_PAUSE_MILLIS = 20;

    private final SocketChannel channel;
    private final Selector readable;
    private final Selector writable;
    private final ByteBuffer out;
    private final ByteBuffer in;
    private Interrupts interrupts = Interrupts.PUT_OFF;

    /** Takes a channel over, and closes it where that fails. */
    FrameChannel(SocketChannel channel) throws IOException {
        this.channel = channel;
        Selector toRead = null;
        Selector toWrite = null;
        boolean complete = false;
        try {
            out = ByteBuffer.allocateDirect(CAPACITY);
            in = ByteBuffer.allocateDirect(CAPACITY);
            channel.configureBlocking(false);
            toRead = Selector.open();
            toWrite = Selector.open();
            channel.register(toRead, SelectionKey.OP_READ);
            channel.register(toWrite, SelectionKey.OP_WRITE);
            readable = toRead;
            writable = toWrite;
            complete = true;
        } finally {
            if (!complete) {
                closeQuietly(channel);
                closeQuietly(toRead);
                closeQuietly(toWrite);
            }
        }
    }

    /** Connects; waits where the other process is there, but has not accepted others yet. */
    static FrameChannel connect(Path socket, long timeoutNanos, Interrupts interrupts) throws IOException {
        long end = end(timeoutNanos);
        try (Interrupts.Wait wait = interrupts.begin()) {
            for (long pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
                SocketChannel channel = attempt(socket);
                if (channel != null) {
                    return new FrameChannel(channel);
                }
                if (end - System.nanoTime() <= 0) {
                    throw new LateException("the process at " + socket + " does not accept connections");
                }
                wait.pause(pause);
            }
        }
    }

    /** Connects; null where that has to wait, and an exception where nobody is there. */
    private static SocketChannel attempt(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        boolean complete = false;
        try {
            channel.configureBlocking(false); // or it would wait where the other process does not accept
            complete = connect(channel, socket);
            return complete ? channel : null;
        } finally {
            if (!complete) {
                channel.close();
            }
        }
    }

    private static boolean connect(SocketChannel channel, Path socket) throws IOException {
        try {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (SocketException e) { // EAGAIN, which has no exception of its own, or what does not pass
            if (e instanceof ConnectException || !Files.exists(socket)) {
                throw e;
            }
            return false;
        }
    }

    /** What an interrupt does to waits from now on; it is put off where nothing is said. */
    void interrupts(Interrupts value) {
        interrupts = value;
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
        try (Interrupts.Wait wait = interrupts.begin()) {
            while (out.hasRemaining()) {
                if (channel.write(out) == 0) {
                    await(writable, end, wait);
                }
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
        try (Interrupts.Wait wait = interrupts.begin()) {
            while (in.hasRemaining()) {
                int n = channel.read(in);
                if (n < 0) {
                    throw new EOFException("the other process has closed the connection");
                }
                if (n == 0) {
                    await(readable, end, wait);
                }
            }
        }
    }

    private static long end(long timeoutNanos) {
        return timeoutNanos == FOR_EVER ? FOR_EVER : System.nanoTime() + timeoutNanos;
    }

    private static void await(Selector selector, long end, Interrupts.Wait wait) throws IOException {
        wait.check();
        long millis = 0; // for ever
        if (end != FOR_EVER) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new LateException("the other process does not answer");
            }
            millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(left));
        }
        selector.select(millis);
        selector.selectedKeys().clear();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() {
        closeQuietly(channel);
        closeQuietly(readable);
        closeQuietly(writable);
    }

    /** Closes what is of no use any more, whether that succeeds or not. */
    static void closeQuietly(Closeable resource) {
        if (resource != null) {
            try {
                resource.close();
            } catch (IOException e) {
                System.getLogger(FrameChannel.class.getName()).log(System.Logger.Level.DEBUG, "closing", e);
            }
        }
    }
}
