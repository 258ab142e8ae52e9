/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

/**
 * Serial arithmetic on packet and message sequence numbers, which have 24 bits and wrap around.
 *
 * <p>Of two numbers, the one that is up to 2^23 - 1 ahead is the later one. The upper byte of arguments is ignored.
 * Source: InfiniBand Architecture Specification volume 1, section 9.7.1.
 */
public final class PsnMath {
    /** The largest sequence number. */
    public static final int MAX = 0xff_ffff;

    private static final int UNUSED_BITS = 8;

    private PsnMath() {}

    /**
     * {@return the number some steps ahead, 0 to {@link #MAX}}
     *
     * @param psn sequence number
     * @param steps number of steps, may be negative
     */
    public static int add(int psn, int steps) {
        return (psn + steps) & MAX;
    }

    /**
     * {@return the next number, 0 to {@link #MAX}}
     *
     * @param psn sequence number
     */
    public static int next(int psn) {
        return (psn + 1) & MAX;
    }

    /**
     * {@return the steps from b to a, -2^23 to 2^23 - 1}
     *
     * @param a sequence number
     * @param b sequence number
     */
    public static int diff(int a, int b) {
        return (a - b) << UNUSED_BITS >> UNUSED_BITS;
    }

    /**
     * Compares two numbers in serial order.
     *
     * @param a sequence number
     * @param b sequence number
     * @return a negative number if a is earlier, zero if they are equal, a positive number if a is later
     */
    public static int compare(int a, int b) {
        return diff(a, b);
    }
}
