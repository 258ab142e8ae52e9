/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.event;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.call.Libc;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A descriptor that events are read from, and those who wait for them. A wait ends by an event, by its time, by an interrupt
 * and by {@link #close}.
 *
 * <p>Events are fetched one thread at a time, under a lock. Thread-safe; a virtual thread that waits keeps no carrier.
 */
public final class EventSource {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final String verb;
    private final int fd;
    private FdPoller.Watch watch;
    private long news;
    private boolean closed;

    /**
     * Takes a descriptor over and makes its reads not wait.
     *
     * @param verb name of the verb that waits, for messages
     * @param fd descriptor, which stays the caller's
     */
    public EventSource(String verb, int fd) {
        this.verb = verb;
        this.fd = fd;
        int flags = Libc.fcntl(fd, Libc.F_GETFL, 0);
        if (flags < 0 || Libc.fcntl(fd, Libc.F_SETFL, flags | Libc.O_NONBLOCK) < 0) {
            throw new VerbsException(Libc.errno(), verb, "the event descriptor " + fd + " can't be made non-blocking");
        }
    }

    /**
     * Waits for an event.
     *
     * @param timeoutNanos how long; 0 looks without waiting, -1 waits for ever
     * @param fetch reads an event without waiting; null where there is none
     * @return what {@code fetch} gave, or null where there was none in that time
     */
    public <T> T await(long timeoutNanos, Supplier<T> fetch) {
        lock.lock();
        try {
            return awaitLocked(timeoutNanos, fetch);
        } finally {
            lock.unlock();
        }
    }

    private <T> T awaitLocked(long timeoutNanos, Supplier<T> fetch) {
        long start = System.nanoTime();
        while (true) {
            if (closed) {
                throw new VerbsException(Errno.EBADF, verb, "it was closed; end the loop that waits for its events");
            }
            long before = news;
            T event = fetch.get();
            if (event != null) {
                return event;
            }
            long remaining = timeoutNanos < 0 ? Long.MAX_VALUE : timeoutNanos - (System.nanoTime() - start);
            if (remaining <= 0) {
                return null;
            }
            arm();
            sleep(before, remaining);
        }
    }

    private void arm() {
        if (watch == null) {
            watch = FdPoller.shared().watch(fd, this::readable);
        }
        watch.arm();
    }

    private void readable() {
        lock.lock();
        try {
            news++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is news, or the time is over; whoever calls looks what it was. */
    @SuppressWarnings("WaitNotInLoop") // the loop is awaitLocked's: it fetches before it waits again
    private void sleep(long before, long nanos) {
        if (news != before || closed) {
            return;
        }
        try {
            changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(
                    Errno.EINTR, verb, "the thread was interrupted; clear its interrupt status to wait again", e);
        }
    }

    /** Wakes those who wait, for good. To be called before the descriptor is closed. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (watch != null) {
                watch.close();
                watch = null;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
