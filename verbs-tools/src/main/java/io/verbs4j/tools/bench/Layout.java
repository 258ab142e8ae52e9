/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

/**
 * Where things are in a side's buffer. Both sides have the same layout:
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
    /** How many credits may be under way. */
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

    /** Where a message with its headroom comes in. */
    static int in(Step step, long slot) {
        return (int) slot * inStride(step);
    }

    /** Where a message goes out. */
    static int out(Step step, long slot) {
        return in(step, step.slots() + 1L) + (int) slot * aligned(step.size());
    }

    /** Where a credit comes in. */
    static int creditIn(Step step, long slot) {
        return out(step, step.depth() + 1L) + (int) slot * LINE;
    }

    /** Where a credit goes out. */
    static int creditOut(Step step, long slot) {
        return creditIn(step, CREDITS) + (int) slot * LINE;
    }

    static int length(Step step) {
        return creditOut(step, CREDITS);
    }
}
