/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits of a {@link Flow}: {@link FlowAttr#flags()}. No bit is or will be optional: a library or provider that does not
 * know or support one fails with EOPNOTSUPP. Since level 4. Source: {@code enum ibv_flow_flags},
 * {@code ibv_create_flow(3)}.
 */
public final class FlowFlags {
    /**
     * Bit: packets go to flows of lower priority too. Source: {@code IBV_FLOW_ATTR_FLAGS_DONT_TRAP},
     * {@code ibv_create_flow(3)}.
     */
    public static final int DONT_TRAP = 1 << 1;

    /**
     * Bit: the flow applies to packets that are sent. Source: {@code IBV_FLOW_ATTR_FLAGS_EGRESS},
     * {@code ibv_create_flow(3)}.
     */
    public static final int EGRESS = 1 << 2;

    private static final String[] NAMES = {
        null, "DONT_TRAP", "EGRESS",
    };

    private FlowFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "DONT_TRAP|EGRESS"}; {@code "0"} if no bit is set; bits without a name come last, as
     *     one hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
