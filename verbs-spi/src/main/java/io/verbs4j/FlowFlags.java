/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits of a {@link Flow}: {@link FlowAttr#flags()}. No bit is optional, now or later: whoever does not know one, or
 * can't, refuses it, EOPNOTSUPP. Since level 4. Source: {@code enum ibv_flow_flags}, ibv_create_flow(3).
 */
public final class FlowFlags {
    /**
     * Bit: packets go to the flows of lower priority, too. Source: {@code IBV_FLOW_ATTR_FLAGS_DONT_TRAP},
     * ibv_create_flow(3).
     */
    public static final int DONT_TRAP = 1 << 1;

    /** Bit: the flow is about packets that are sent. Source: {@code IBV_FLOW_ATTR_FLAGS_EGRESS}, ibv_create_flow(3). */
    public static final int EGRESS = 1 << 2;

    private static final String[] NAMES = {
        null, "DONT_TRAP", "EGRESS",
    };

    private FlowFlags() {}

    /**
     * Names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "DONT_TRAP|EGRESS"}; {@code "0"} if no bit is set; bits without a name come last,
     *     as one hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
