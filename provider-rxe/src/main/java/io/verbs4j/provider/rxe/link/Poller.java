/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Gid;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Waits for sockets and can be woken. One thread at a time may call {@link #await}; the other methods are thread-safe.
 */
final class Poller {
    /** Size of the memory that {@link #awaitWritable} needs: a pollfd and a timespec. */
    static final int WAITING_SIZE = 24;

    private static final int TIMESPEC = 8;
    private static final long NANOS = 1_000_000_000L;

    private final FileDescriptor event;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final StructBuffer value = new StructBuffer(16);
    private StructBuffer fds = new StructBuffer(0);
    private volatile boolean closed;

    private Poller(FileDescriptor event) {
        this.event = event;
        value.putLong(0, 1); // the value to write, followed by room for the value read
    }

    /** Creates a poller for the link of an address. */
    static Poller open(Gid local) {
        int fd = Posix.calls().eventfd(0, Posix.EFD_NONBLOCK | Posix.EFD_CLOEXEC);
        if (fd < 0) {
            throw SocketErrors.failed("open_device", "eventfd", Posix.calls().errno(), local);
        }
        boolean complete = false;
        try {
            Poller made = new Poller(new FileDescriptor(fd));
            complete = true;
            return made;
        } finally {
            if (!complete) {
                Posix.calls().close(fd);
            }
        }
    }

    /** Waits until a socket is readable. Returns false after the timeout, a wake-up or an interrupted call. */
    boolean await(UdpSocket[] sockets, long timeoutNanos) {
        int size = TIMESPEC + 8 + (sockets.length + 1) * StructBuffer.POLLFD_SIZE;
        if (fds.size() < size) {
            fds = new StructBuffer(size);
        }
        long timeout = Math.max(timeoutNanos, 0);
        fds.putLong(0, timeout / NANOS);
        fds.putLong(8, timeout % NANOS);
        if (!event.enter()) {
            return false;
        }
        int entered = 0;
        try {
            if (closed) {
                return false; // the signal of close() may have gone to the previous wait
            }
            put(0, event.fd());
            for (; entered < sockets.length; entered++) {
                FileDescriptor d = sockets[entered].descriptor();
                if (!d.enter()) {
                    return false;
                }
                put(entered + 1, d.fd());
            }
            int n = Posix.calls().ppoll(fds.address(16), sockets.length + 1L, fds.address(0), 0);
            if (n <= 0) {
                return false;
            }
            if (fds.getShort(16 + StructBuffer.POLLFD_REVENTS) == 0) {
                return true;
            }
            Posix.calls().read(event.fd(), value.address(8), 8);
            // After the read: a wakeup() in between finds the flag still set and does nothing. That is correct, because
            // the caller has yet to check what it was woken for.
            woken.set(false);
            return n > 1;
        } finally {
            while (entered > 0) {
                sockets[--entered].descriptor().exit();
            }
            event.exit();
        }
    }

    private void put(int index, int fd) {
        int at = 16 + index * StructBuffer.POLLFD_SIZE;
        fds.putInt(at, fd);
        fds.putInt(at + StructBuffer.POLLFD_EVENTS, 0);
        fds.putShort(at + StructBuffer.POLLFD_EVENTS, Posix.POLLIN);
    }

    /** Ends the wait in progress, or the next one. */
    void wakeup() {
        if (!woken.getAndSet(true)) {
            signal();
        }
    }

    /** Ends the wait in progress, and then frees the descriptor. */
    void close() {
        closed = true;
        signal();
        event.close();
    }

    private void signal() {
        if (event.enter()) {
            Posix.calls().write(event.fd(), value.address(0), 8);
            value.keepUntilHere();
            event.exit();
        }
    }

    /** Waits for a limited time for room in the send buffer of a socket. */
    static void awaitWritable(int fd, StructBuffer m, long nanos) {
        m.putInt(0, fd);
        m.putInt(StructBuffer.POLLFD_EVENTS, 0);
        m.putShort(StructBuffer.POLLFD_EVENTS, Posix.POLLOUT);
        m.putLong(TIMESPEC, 0);
        m.putLong(TIMESPEC + 8, nanos);
        Posix.calls().ppoll(m.address(0), 1, m.address(TIMESPEC), 0);
        m.keepUntilHere();
    }
}
