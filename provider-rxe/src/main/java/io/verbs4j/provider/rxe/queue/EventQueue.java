/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Events that wait to be fetched, and threads that wait for them.
 *
 * @param <E> kind of event
 */
public final class EventQueue<E> {
    private final ArrayDeque<E> events = new ArrayDeque<>(64);
    private final String verb;
    private final String what;
    private final Waiters waiters;
    private boolean closed;

    /** Makes a queue; {@code waiters} is told when a thread begins and ends to sleep. */
    public EventQueue(String verb, String what, Waiters waiters) {
        this.verb = verb;
        this.what = what;
        this.waiters = waiters;
    }

    /** Adds an event and wakes a thread that waits. */
    public synchronized void add(E event) {
        if (!closed) {
            events.add(event);
            notify();
        }
    }

    /** Drops events. */
    public synchronized void removeIf(Predicate<E> which) {
        events.removeIf(which);
    }

    /** Wakes all threads that wait; they and later ones are told EBADF. */
    public synchronized void close() {
        closed = true;
        events.clear();
        notifyAll();
    }

    /** Fetches an event, as {@link io.verbs4j.ContextOps#getCqEvent} says. */
    public E get(long timeoutNanos) {
        synchronized (this) {
            E event = pollOrFail();
            if (event != null || timeoutNanos == 0) {
                return event;
            }
        }
        waiters.begin();
        try {
            return await(timeoutNanos);
        } finally {
            waiters.end();
        }
    }

    private synchronized E await(long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        while (true) {
            E event = pollOrFail();
            if (event != null) {
                return event;
            }
            try {
                if (timeoutNanos < 0) {
                    wait();
                } else {
                    long left = deadline - System.nanoTime();
                    if (left <= 0) {
                        return null;
                    }
                    TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, 1_000));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new VerbsException(Errno.EINTR, verb, "the thread was interrupted while it waited", e);
            }
        }
    }

    private E pollOrFail() {
        if (closed) {
            throw new VerbsException(Errno.EBADF, verb, "the " + what + " was closed");
        }
        return events.poll();
    }

    /** Who must know that threads sleep: the device then moves packets by itself. */
    public interface Waiters {
        /** A thread begins to sleep. */
        void begin();

        /** It has ended. */
        void end();
    }
}
