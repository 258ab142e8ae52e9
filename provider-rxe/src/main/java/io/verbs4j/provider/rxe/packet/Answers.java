/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

/**
 * Learns whether a polling program answers what it receives at once. If it does, the acknowledgement waits for the
 * answer: it then does not delay the answer and leaves with it, in the same system call. If the answer does not come,
 * the next acknowledgement no longer waits. Guarded by the receive lock, except for {@link #isAwaited()}.
 */
final class Answers {
    private static final int NONE = 0;

    /** The acknowledgement has been sent; an answer now shows that it could have waited. */
    private static final int WATCHED = 1;

    /** The acknowledgement waits. */
    private static final int HELD = 2;

    private volatile int state;
    private boolean expected;

    /** {@return whether it matters that an answer is sent or is late} */
    boolean isAwaited() {
        return state != NONE;
    }

    /** Notes that a program has received a message; returns whether its acknowledgement waits. */
    boolean await() {
        state = expected ? HELD : WATCHED;
        return expected;
    }

    /** Notes that an answer is sent; returns whether an acknowledgement goes with it. */
    boolean leaves() {
        expected |= state != NONE;
        return end();
    }

    /** Notes that the program has not answered; returns whether the acknowledgement still waits. */
    boolean isLate() {
        expected &= state != HELD;
        return end();
    }

    /** Stops waiting for an answer; returns whether an acknowledgement waited. */
    boolean end() {
        boolean held = state == HELD;
        if (state != NONE) {
            state = NONE;
        }
        return held;
    }
}
