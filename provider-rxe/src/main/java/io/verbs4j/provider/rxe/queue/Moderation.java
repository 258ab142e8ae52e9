/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

/**
 * Delays events of a completion queue: until a number of completions that would raise one have come, or until the first
 * of them has reached some age. Guarded by the queue's lock, except for {@link #deadline()}.
 */
final class Moderation {
    private static final long NEVER = Long.MAX_VALUE;

    private final CqHost host;
    private int most;
    private long nanos;
    private int pending;
    private volatile long deadline = NEVER;

    Moderation(CqHost host) {
        this.host = host;
    }

    /**
     * Sets the number of completions and the time; 0 means no limit by it, and two zeros turn moderation off. Returns
     * whether a delayed event is due.
     */
    boolean set(int completions, long periodNanos) {
        most = completions;
        nanos = periodNanos;
        return end();
    }

    /** Counts a completion that would raise an event; returns whether the event is due now. */
    boolean isDue() {
        pending++;
        if (most == 0 && nanos == 0 || most != 0 && pending >= most) {
            end();
            return true;
        }
        if (pending == 1 && nanos != 0) {
            deadline = host.now() + nanos;
            host.deadlineSet(deadline);
        }
        return false;
    }

    /** Returns whether a delayed event is due at a time. */
    boolean isDue(long now) {
        return deadline <= now && end();
    }

    private boolean end() {
        boolean any = pending > 0;
        pending = 0;
        deadline = NEVER;
        return any;
    }

    /** {@return the time at which an event is due at the latest} */
    long deadline() {
        return deadline;
    }
}
