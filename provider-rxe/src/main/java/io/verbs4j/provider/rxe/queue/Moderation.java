/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

/**
 * Puts events of a completion queue off: until so many completions have come that would make one, or until the first of them is so old.
 * Guarded by the queue's lock, but for {@link #deadline()}.
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

    /** Sets completions and time, 0 for no limit by it; neither: off. Answers whether an event that was put off is due. */
    boolean set(int completions, long periodNanos) {
        most = completions;
        nanos = periodNanos;
        return end();
    }

    /** A completion would make an event; answers whether it does. */
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

    /** Whether an event is due by a time. */
    boolean isDue(long now) {
        return deadline <= now && end();
    }

    private boolean end() {
        boolean any = pending > 0;
        pending = 0;
        deadline = NEVER;
        return any;
    }

    /** When an event is due at the latest. */
    long deadline() {
        return deadline;
    }
}
