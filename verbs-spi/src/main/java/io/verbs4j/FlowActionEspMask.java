/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say which attributes of a {@link FlowActionEspAttr} are set. C has a mask for the first one, and pointers
 * for the others.
 *
 * <p>{@link InputAttr} explains the ranges of bits. Since level 4. Source: {@code ibv_create_flow_action(3)}.
 */
public final class FlowActionEspMask {
    /** Bit: the extended sequence number. Source: {@code IBV_FLOW_ACTION_ESP_MASK_ESN}. */
    public static final long ESN = 1L << 0;

    /** Bit: the parameters, all of them. Source: {@code esp_attr}. */
    public static final long ATTR = 1L << 16;

    /** Bit: the key. Source: {@code keymat_ptr}. */
    public static final long KEY = 1L << 17;

    /** Bit: the replay window. Source: {@code replay_ptr}. */
    public static final long REPLAY = 1L << 18;

    private static final String[] NAMES = new String[19];

    static {
        NAMES[0] = "ESN";
        NAMES[16] = "ATTR";
        NAMES[17] = "KEY";
        NAMES[18] = "REPLAY";
    }

    private FlowActionEspMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "ESN"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long mask) {
        return InputAttr.join(mask, NAMES);
    }
}
