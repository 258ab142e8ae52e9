/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that request special behaviour of a {@link WorkQueue}. No bit is or will be optional: a library or provider that
 * does not know or support one fails with EOPNOTSUPP. {@link RawPacketCaps} reports which ones a device supports. Since
 * level 4. Source: {@code enum ibv_wq_flags}, {@code ibv_create_wq(3)}.
 */
public final class WqFlags {
    /**
     * Bit: the VLAN tag of a received packet is stripped and reported in its completion. Source:
     * {@code IBV_WQ_FLAGS_CVLAN_STRIPPING}, {@code ibv_create_wq(3)}.
     */
    public static final int CVLAN_STRIPPING = 1 << 0;

    /**
     * Bit: the frame check sequence is received too. Source: {@code IBV_WQ_FLAGS_SCATTER_FCS},
     * {@code ibv_create_wq(3)}.
     */
    public static final int SCATTER_FCS = 1 << 1;

    /**
     * Bit: if no receive is posted, packets wait a while before they are dropped. Source:
     * {@code IBV_WQ_FLAGS_DELAY_DROP}, {@code ibv_create_wq(3)}.
     */
    public static final int DELAY_DROP = 1 << 2;

    /**
     * Bit: the device may write beyond the end of a packet, up to a full cache line. Source:
     * {@code IBV_WQ_FLAGS_PCI_WRITE_END_PADDING}, {@code ibv_create_wq(3)}.
     */
    public static final int PCI_WRITE_END_PADDING = 1 << 3;

    private static final String[] NAMES = {
        "CVLAN_STRIPPING", "SCATTER_FCS", "DELAY_DROP", "PCI_WRITE_END_PADDING",
    };

    private WqFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "CVLAN_STRIPPING|SCATTER_FCS"}; {@code "0"} if no bit is set; bits without a name
     *     come last, as one hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
