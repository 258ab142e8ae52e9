/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.event;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Libc;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A descriptor that events are read from, and those who wait for them. A wait ends by an event, by its time, by an interrupt, by
 * {@link #wake} and by {@link #close}.
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

    /** Whether a wait is to end without an event. */
    private boolean woken;

    /** Runs when there is something to read, or null. */
    private Runnable action;

    /** Whether the action's next run is asked for. */
    private boolean armed;

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
     * @return what {@code fetch} gave, or null where there was none in that time, or the wait was woken
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
            if (remaining <= 0 || takeWakeUp()) {
                armForAction();
                return null;
            }
            arm();
            sleep(before, remaining);
        }
    }

    private boolean takeWakeUp() {
        boolean taken = woken;
        woken = false;
        return taken;
    }

    /** The action runs at the next event, now that there is none. Where that was asked for before, it still comes. */
    private void armForAction() {
        if (action != null && !armed) {
            arm();
        }
    }

    private void arm() {
        if (watch == null) {
            watch = FdPoller.shared().watch(fd, this::readable);
        }
        watch.arm();
        armed = true;
    }

    private void readable() {
        Runnable told;
        lock.lock();
        try {
            news++;
            changed.signalAll();
            armed = false;
            told = action;
        } finally {
            lock.unlock();
        }
        if (told != null) {
            told.run();
        }
    }

    /** Ends a wait without an event: that of a thread that waits, else the next one that is not for a time of 0. */
    public void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs an action when there is something to read: once now where there is, and once after each time that {@link #await} found nothing.
     * It runs in the poller's thread.
     *
     * @param next takes the place of the one before; or null
     * @return 0, or EBADF after close
     */
    public int onEvent(Runnable next) {
        lock.lock();
        try {
            if (closed) {
                return Errno.EBADF;
            }
            action = next;
            if (next != null) {
                arm();
            }
            return 0;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is news, or the time is over; whoever calls looks what it was. */
    @SuppressWarnings("WaitNotInLoop") // the loop is awaitLocked's: it fetches before it waits again
    private void sleep(long before, long nanos) {
        if (news != before || closed || woken) {
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
            action = null;
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
