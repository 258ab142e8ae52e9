/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

/**
 * The layout of the buffer, the same on both sides:
 *
 * <pre>
 * slots + 1 places of a message with headroom     what comes in, and what RDMA reads and writes reach
 * depth + 1 places of a message                   what goes out, and where RDMA reads go
 * 16 places of 64 bytes                           credits coming in
 * 16 places of 64 bytes                           credits going out
 * </pre>
 *
 * Places begin at multiples of 64 bytes.
 */
final class Layout {
    /** Number of credits that may be in flight. */
    static final int CREDITS = 16;

    /** Length of a credit: a number. */
    static final int CREDIT_LENGTH = 8;

    private static final int LINE = 64;

    private Layout() {}

    private static int aligned(int length) {
        return (length + LINE - 1) / LINE * LINE;
    }

    private static int inStride(Step step) {
        return aligned(step.size() + step.service().headroom());
    }

    /** {@return the offset of an incoming message with its headroom} */
    static int in(Step step, long slot) {
        return (int) slot * inStride(step);
    }

    /** {@return the offset of an outgoing message} */
    static int out(Step step, long slot) {
        return in(step, step.slots() + 1L) + (int) slot * aligned(step.size());
    }

    /** {@return the offset of an incoming credit} */
    static int creditIn(Step step, long slot) {
        return out(step, step.depth() + 1L) + (int) slot * LINE;
    }

    /** {@return the offset of an outgoing credit} */
    static int creditOut(Step step, long slot) {
        return creditIn(step, CREDITS) + (int) slot * LINE;
    }

    static int length(Step step) {
        return creditOut(step, CREDITS);
    }
}
