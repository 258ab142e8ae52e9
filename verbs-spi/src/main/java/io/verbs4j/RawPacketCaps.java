/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Features of raw packets that a device supports: {@link DeviceAttrEx#rawPacketCaps()}. Since level 3. Source:
 * {@code ibv_query_device_ex(3)}, {@code ibv_raw_packet_caps}.
 */
public final class RawPacketCaps {
    /**
     * Bit: the VLAN tag can be stripped from received packets. Source: {@code IBV_RAW_PACKET_CAP_CVLAN_STRIPPING},
     * {@code ibv_query_device_ex(3)}.
     */
    public static final int CVLAN_STRIPPING = 1 << 0;

    /**
     * Bit: the frame check sequence can be received. Source: {@code IBV_RAW_PACKET_CAP_SCATTER_FCS},
     * {@code ibv_query_device_ex(3)}.
     */
    public static final int SCATTER_FCS = 1 << 1;

    /**
     * Bit: IP checksums are computed and checked. Source: {@code IBV_RAW_PACKET_CAP_IP_CSUM},
     * {@code ibv_query_device_ex(3)}.
     */
    public static final int IP_CSUM = 1 << 2;

    /**
     * Bit: packets wait a while for a receive to be posted. Source: {@code IBV_RAW_PACKET_CAP_DELAY_DROP},
     * {@code ibv_query_device_ex(3)}.
     */
    public static final int DELAY_DROP = 1 << 3;

    private static final String[] NAMES = {
        "CVLAN_STRIPPING", "SCATTER_FCS", "IP_CSUM", "DELAY_DROP",
    };

    private RawPacketCaps() {}

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
