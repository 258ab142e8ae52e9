/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that ask for special behaviour of a {@link WorkQueue}. No bit is optional, now or later: whoever does not know
 * one, or can't, refuses it, EOPNOTSUPP. {@link RawPacketCaps} tells which ones a device has. Since level 4. Source:
 * {@code enum ibv_wq_flags}, ibv_create_wq(3).
 */
public final class WqFlags {
    /**
     * Bit: the VLAN tag of a received packet is taken off, and told by its completion. Source: {@code
     * IBV_WQ_FLAGS_CVLAN_STRIPPING}, ibv_create_wq(3).
     */
    public static final int CVLAN_STRIPPING = 1 << 0;

    /** Bit: the frame check sequence is received, too. Source: {@code IBV_WQ_FLAGS_SCATTER_FCS}, ibv_create_wq(3). */
    public static final int SCATTER_FCS = 1 << 1;

    /**
     * Bit: packets wait a while where no receive is posted, before they are dropped. Source: {@code
     * IBV_WQ_FLAGS_DELAY_DROP}, ibv_create_wq(3).
     */
    public static final int DELAY_DROP = 1 << 2;

    /**
     * Bit: the device may write beyond the end of a packet, up to a whole line of the cache. Source: {@code
     * IBV_WQ_FLAGS_PCI_WRITE_END_PADDING}, ibv_create_wq(3).
     */
    public static final int PCI_WRITE_END_PADDING = 1 << 3;

    private static final String[] NAMES = {
        "CVLAN_STRIPPING", "SCATTER_FCS", "DELAY_DROP", "PCI_WRITE_END_PADDING",
    };

    private WqFlags() {}

    /**
     * Names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "CVLAN_STRIPPING|SCATTER_FCS"}; {@code "0"} if no bit is set; bits without a name
     *     come last, as one hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
