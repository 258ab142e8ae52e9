/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** Transfers with a deadline. Checked once a millisecond, because deadlines are in milliseconds. */
final class Timers {
    private static final long TICK = 1_000_000;

    private Transfer first;
    private long lastLook;

    boolean isEmpty() {
        return first == null;
    }

    void add(Transfer transfer, long deadline) {
        transfer.timed = true;
        transfer.deadline = deadline;
        transfer.timerPrevious = null;
        transfer.timerNext = first;
        if (first != null) {
            first.timerPrevious = transfer;
        }
        first = transfer;
    }

    void remove(Transfer transfer) {
        if (!transfer.timed) {
            return;
        }
        transfer.timed = false;
        if (transfer.timerPrevious == null) {
            first = transfer.timerNext;
        } else {
            transfer.timerPrevious.timerNext = transfer.timerNext;
        }
        if (transfer.timerNext != null) {
            transfer.timerNext.timerPrevious = transfer.timerPrevious;
        }
        transfer.timerNext = null;
        transfer.timerPrevious = null;
    }

    /**
     * Removes and returns a transfer whose deadline has passed; null if there is none, or right after the last check.
     */
    Transfer expired(long now) {
        if (first == null || now - lastLook < TICK) {
            return null;
        }
        for (Transfer transfer = first; transfer != null; transfer = transfer.timerNext) {
            if (now - transfer.deadline >= 0) {
                remove(transfer);
                return transfer;
            }
        }
        lastLook = now;
        return null;
    }

    /** Returns the nanoseconds to the next deadline, 0 to {@code most}. */
    long untilNext(long now, long most) {
        long least = most;
        for (Transfer transfer = first; transfer != null; transfer = transfer.timerNext) {
            least = Math.min(least, Math.max(0, transfer.deadline - now));
        }
        return least;
    }
}
