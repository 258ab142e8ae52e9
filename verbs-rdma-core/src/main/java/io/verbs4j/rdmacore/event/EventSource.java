/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.event;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Libc;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A descriptor that events are read from, and the threads that wait for them. A wait ends with an event, after its
 * timeout, by an interrupt, by {@link #wake} or by {@link #close}.
 *
 * <p>One thread at a time fetches events, under a lock. Thread-safe; a waiting virtual thread does not pin its carrier.
 */
public final class EventSource {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final String verb;
    private final int fd;
    private FdPoller.Watch watch;
    private long news;
    private boolean closed;

    /** Whether a wait must end without an event. */
    private boolean woken;

    /** Runs when there is something to read, or null. */
    private Runnable action;

    /** Whether the watch is armed and the action will run. */
    private boolean armed;

    /**
     * Makes a descriptor non-blocking.
     *
     * @param verb name of the verb that waits, for messages
     * @param fd descriptor; the caller remains its owner
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
     * @param timeoutNanos timeout; 0 does not wait, -1 waits for ever
     * @param fetch reads an event without blocking; returns null if there is none
     * @return the result of {@code fetch}, or null on timeout or if the wait was woken
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

    /** Arms the action for the next event, as there is none now; unless it is still armed. */
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

    /** Ends a wait without an event: that of a waiting thread, otherwise the next one whose timeout is not 0. */
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
     * Runs an action when there is something to read: once now if there is, and once after each {@link #await} that
     * found nothing. It runs on the poller's thread.
     *
     * @param next replaces the previous action; null removes it
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

    /** Waits for news or the timeout; the caller checks which it was. */
    @SuppressWarnings("WaitNotInLoop") // the loop is in awaitLocked, which fetches before it waits again
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

    /** Wakes all waiting threads for good. Call it before the descriptor is closed. */
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
