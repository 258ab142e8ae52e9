/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

/**
 * Whether a program that polls answers what it receives at once. Where it does, the acknowledgement waits for the answer, which is
 * not delayed by it then and takes it along by the same system call; where that turns out not to be so, the next one waits no more.
 * Guarded by the receive lock, but for {@link #isAwaited()}.
 */
final class Answers {
    private static final int NONE = 0;

    /** The acknowledgement has left; an answer now shows that it could have waited. */
    private static final int WATCHED = 1;

    /** The acknowledgement waits. */
    private static final int HELD = 2;

    private volatile int state;
    private boolean expected;

    /** Whether it matters that an answer leaves or is late. */
    boolean isAwaited() {
        return state != NONE;
    }

    /** A program has got a message; answers whether its acknowledgement waits. */
    boolean await() {
        state = expected ? HELD : WATCHED;
        return expected;
    }

    /** An answer leaves; answers whether an acknowledgement goes with it. */
    boolean leaves() {
        expected |= state != NONE;
        return end();
    }

    /** The program has not answered; answers whether the acknowledgement still waits. */
    boolean isLate() {
        expected &= state != HELD;
        return end();
    }

    /** No answer is awaited any more; answers whether an acknowledgement waited. */
    boolean end() {
        boolean held = state == HELD;
        if (state != NONE) {
            state = NONE;
        }
        return held;
    }
}
