/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that describe a work completion and what came with its data.
 *
 * <p>A value is the OR of any of the constants. A device newer than this class may set further bits. Source:
 * {@code ibv_poll_cq(3)}.
 */
public final class WcFlags {
    /**
     * Bit: the first 40 bytes of the receive buffer hold a global route header; UD only. Source: {@code IBV_WC_GRH},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int GRH = 1 << 0;

    /**
     * Bit: the completion carries 4 bytes of immediate data. Source: {@code IBV_WC_WITH_IMM}, {@code ibv_poll_cq(3)}.
     */
    public static final int WITH_IMM = 1 << 1;

    /**
     * Bit: the checksums of the IP header and of its payload are correct; raw packets and UD. Since level 3. Source:
     * {@code IBV_WC_IP_CSUM_OK}, {@code ibv_poll_cq(3)}.
     */
    public static final int IP_CSUM_OK = 1 << 2;

    /**
     * Bit: the message invalidated a remote key: {@link WorkCompletion#invalidatedRkey()}. Since level 3. Source:
     * {@code IBV_WC_WITH_INV}, {@code ibv_poll_cq(3)}.
     */
    public static final int WITH_INV = 1 << 3;

    /**
     * Bit: the program has to report further unexpected messages to the device, by {@link OpsFlags#TM_SYNC}. Since
     * level 4. Source: {@code IBV_WC_TM_SYNC_REQ}, {@code ibv_poll_cq(3)}.
     */
    public static final int TM_SYNC_REQ = 1 << 4;

    /**
     * Bit: the message was matched with a tagged buffer. Since level 4. Source: {@code IBV_WC_TM_MATCH},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int TM_MATCH = 1 << 5;

    /**
     * Bit: all data of the matched message is in the buffer. Since level 4. Source: {@code IBV_WC_TM_DATA_VALID},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int TM_DATA_VALID = 1 << 6;

    private static final String[] NAMES = {
        "GRH", "WITH_IMM", "IP_CSUM_OK", "WITH_INV", "TM_SYNC_REQ", "TM_MATCH", "TM_DATA_VALID",
    };

    private WcFlags() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param flags bits of this class
     * @return for instance {@code "GRH|WITH_IMM"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(int flags) {
        return DeviceCap.join(flags, NAMES);
    }
}
