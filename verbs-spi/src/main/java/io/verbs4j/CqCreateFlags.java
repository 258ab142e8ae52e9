/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits of {@link CqInitAttrEx#flags()}.
 *
 * <pre>
 *   31          | 30 .. 28            | 27 ......... 0
 *   never used  | optional: ignored   | required: EOPNOTSUPP
 *               | if unknown          | if unknown or unsupported
 * </pre>
 *
 * <p>Since level 3. Source: {@code ibv_create_cq_ex(3)}, {@code IBV_CREATE_CQ_ATTR_*}.
 */
public final class CqCreateFlags {
    /**
     * Bit: the program promises that no two threads use the queue at the same time, so the device may omit its lock.
     * The queue may pass from one thread to another at any time, even between {@link CompletionQueue#startPoll} and
     * {@link CompletionQueue#endPoll}. Source: {@code IBV_CREATE_CQ_ATTR_SINGLE_THREADED}, {@code ibv_create_cq_ex(3)}.
     */
    public static final int SINGLE_THREADED = 1 << 0;

    /**
     * Bit: completions that find the queue full overwrite older ones, and the overrun is not reported. Source:
     * {@code IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN}, {@code ibv_create_cq_ex(3)}.
     */
    public static final int IGNORE_OVERRUN = 1 << 1;

    /** Bits that a library or provider ignores if it does not know them; none are defined yet. */
    public static final int OPTIONAL_RANGE = 0x7000_0000;

    private static final String[] NAMES = {
        "SINGLE_THREADED", "IGNORE_OVERRUN",
    };

    private CqCreateFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "SINGLE_THREADED|IGNORE_OVERRUN"}; {@code "0"} if no bit is set; bits without a name
     *     come last, as one hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
