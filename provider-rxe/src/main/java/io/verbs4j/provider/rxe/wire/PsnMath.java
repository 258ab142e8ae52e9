/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

/**
 * Serial arithmetic of packet and message sequence numbers, which have 24 bits and wrap around.
 *
 * <p>Of two numbers, the one up to 2^23 - 1 ahead is the later one. Arguments may carry anything in the upper byte. Source:
 * InfiniBand Architecture Specification volume 1, section 9.7.1.
 */
public final class PsnMath {
    /** The largest sequence number. */
    public static final int MAX = 0xff_ffff;

    private static final int UNUSED_BITS = 8;

    private PsnMath() {}

    /**
     * The number so many steps on.
     *
     * @param psn sequence number
     * @param steps how many, also negative
     * @return sequence number, 0 to {@link #MAX}
     */
    public static int add(int psn, int steps) {
        return (psn + steps) & MAX;
    }

    /**
     * The next number.
     *
     * @param psn sequence number
     * @return sequence number, 0 to {@link #MAX}
     */
    public static int next(int psn) {
        return (psn + 1) & MAX;
    }

    /**
     * How far one number is ahead of another.
     *
     * @param a sequence number
     * @param b sequence number
     * @return steps from b to a, -2^23 to 2^23 - 1
     */
    public static int diff(int a, int b) {
        return (a - b) << UNUSED_BITS >> UNUSED_BITS;
    }

    /**
     * Which of two numbers is the later one.
     *
     * @param a sequence number
     * @param b sequence number
     * @return below zero where a is earlier, zero where they are equal, above zero where a is later
     */
    public static int compare(int a, int b) {
        return diff(a, b);
    }
}
