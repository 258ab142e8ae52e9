/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that select the attributes of a shared receive queue to set.
 *
 * <p>A value is the OR of any of the constants. A device newer than this class may set further bits. Source:
 * {@code ibv_modify_srq(3)}.
 */
public final class SrqAttrMask {
    /**
     * Bit: the size in requests, if the device has {@link DeviceCap#SRQ_RESIZE}. Source: {@code IBV_SRQ_MAX_WR},
     * {@code ibv_modify_srq(3)}.
     */
    public static final int MAX_WR = 1 << 0;

    /**
     * Bit: the number of requests below which {@link EventType#SRQ_LIMIT_REACHED} is raised; 0 disables it. Source:
     * {@code IBV_SRQ_LIMIT}, {@code ibv_modify_srq(3)}.
     */
    public static final int LIMIT = 1 << 1;

    private static final String[] NAMES = {
        "MAX_WR", "LIMIT",
    };

    private SrqAttrMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "MAX_WR|LIMIT"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(int mask) {
        return DeviceCap.join(mask, NAMES);
    }
}
