/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

/**
 * Whether a ring's receiver has taken nothing for a while although there were records. Several threads may ask; if they
 * do so at once, the answer is inexact.
 */
final class Standstill {
    private static final long LOOK_NANOS = 2_000_000;

    /** Among how many calls one reads the time, which takes as long as the rest of a message. */
    private static final int CALLS = 16;

    private int calls;
    private long lastLook = System.nanoTime();
    private long lastHead;
    private long lastTail;

    /** {@return whether to call {@link #is}, which needs the receiver's position} For each written record. */
    boolean isTime() {
        if ((++calls & CALLS - 1) != 0) {
            return false;
        }
        long now = System.nanoTime();
        if (now - lastLook <= LOOK_NANOS) {
            return false;
        }
        lastLook = now;
        return true;
    }

    /** {@return whether nothing was taken since the last call, although there were records} */
    boolean is(long head, long tail) {
        boolean still = head == lastHead && head != lastTail;
        lastHead = head;
        lastTail = tail;
        return still;
    }
}
