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
 * A connection to another process of a domain. It carries frames in both directions, each with a length, a type and
 * content.
 *
 * <p>Both directions have a timeout unless the caller passes {@link #FOR_EVER}. One thread at a time may send, and one
 * may receive.
 */
final class FrameChannel implements AutoCloseable {
    /** Maximum size of a frame: more than a packet of the largest MTU with its headers. */
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

    /** Takes over a channel; closes it on failure. */
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

    /** Connects; waits while the other process exists but has a full queue of connections. */
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

    /** Tries to connect. Returns null if that must wait; throws if no process listens. */
    private static SocketChannel attempt(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        boolean complete = false;
        try {
            channel.configureBlocking(false); // otherwise it would wait while the other process does not accept
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
        } catch (SocketException e) { // EAGAIN, which has no exception of its own, or a lasting error
            if (e instanceof ConnectException || !Files.exists(socket)) {
                throw e;
            }
            return false;
        }
    }

    /** Sets how an interrupt affects waits from now on. By default it is deferred. */
    void interrupts(Interrupts value) {
        interrupts = value;
    }

    /** Begins a frame; returns the buffer for its content. */
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

    /** Waits for a frame; returns its type. Its content is the remainder of {@link #content()}. */
    int receive(long timeoutNanos) throws IOException {
        long end = end(timeoutNanos);
        in.clear();
        fill(Integer.BYTES, end);
        int length = in.getInt(0);
        if (length < HEAD || length > CAPACITY) {
            throw new IOException("invalid frame of " + length + " bytes");
        }
        fill(length, end);
        in.flip().position(Integer.BYTES);
        return in.get();
    }

    /** {@return the content of the last frame received} */
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
        long millis = 0; // forever
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

    /** Closes a resource that is no longer needed, ignoring errors. */
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
