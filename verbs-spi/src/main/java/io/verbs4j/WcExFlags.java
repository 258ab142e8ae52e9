/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that tell what of a completion is wanted of an extended completion queue: {@link CqInitAttrEx#wcFlags()}.
 *
 * <p>No bit is optional, now or later: whoever does not know one, or can't, refuses it, EOPNOTSUPP.
 *
 * <p>Those of {@link #STANDARD} each device has. Since level 3. Source: {@code ibv_create_cq_ex(3)}, {@code IBV_WC_EX_WITH_*}.
 */
public final class WcExFlags {
    /** Bit: the number of bytes. Source: {@code IBV_WC_EX_WITH_BYTE_LEN}, ibv_create_cq_ex(3). */
    public static final long BYTE_LEN = 1L << 0;

    /** Bit: immediate data, or the invalidated key. Source: {@code IBV_WC_EX_WITH_IMM}, ibv_create_cq_ex(3). */
    public static final long IMM = 1L << 1;

    /** Bit: the number of the local queue pair. Source: {@code IBV_WC_EX_WITH_QP_NUM}, ibv_create_cq_ex(3). */
    public static final long QP_NUM = 1L << 2;

    /** Bit: the number of the remote queue pair. Source: {@code IBV_WC_EX_WITH_SRC_QP}, ibv_create_cq_ex(3). */
    public static final long SRC_QP = 1L << 3;

    /** Bit: the source LID. Source: {@code IBV_WC_EX_WITH_SLID}, ibv_create_cq_ex(3). */
    public static final long SLID = 1L << 4;

    /** Bit: the service level. Source: {@code IBV_WC_EX_WITH_SL}, ibv_create_cq_ex(3). */
    public static final long SL = 1L << 5;

    /** Bit: the path bits of the destination LID. Source: {@code IBV_WC_EX_WITH_DLID_PATH_BITS}, ibv_create_cq_ex(3). */
    public static final long DLID_PATH_BITS = 1L << 6;

    /**
     * Bit: when it completed, in ticks of the device's clock. Source: {@code IBV_WC_EX_WITH_COMPLETION_TIMESTAMP},
     * ibv_create_cq_ex(3).
     */
    public static final long COMPLETION_TIMESTAMP = 1L << 7;

    /** Bit: the VLAN of a raw packet. Source: {@code IBV_WC_EX_WITH_CVLAN}, ibv_create_cq_ex(3). */
    public static final long CVLAN = 1L << 8;

    /**
     * Bit: the tag of the flow that a raw packet was steered by. Source: {@code IBV_WC_EX_WITH_FLOW_TAG},
     * ibv_create_cq_ex(3).
     */
    public static final long FLOW_TAG = 1L << 9;

    /** Bit: what tag matching tells. Source: {@code IBV_WC_EX_WITH_TM_INFO}, ibv_create_cq_ex(3). */
    public static final long TM_INFO = 1L << 10;

    /**
     * Bit: when it completed, in nanoseconds of the wall clock. Source: {@code
     * IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK}, ibv_create_cq_ex(3).
     */
    public static final long COMPLETION_TIMESTAMP_WALLCLOCK = 1L << 11;

    /** The bits that each device has: all that a completion of level 1 has. Source: {@code IBV_WC_STANDARD_FLAGS}. */
    public static final long STANDARD = BYTE_LEN | IMM | QP_NUM | SRC_QP | SLID | SL | DLID_PATH_BITS;

    private static final String[] NAMES = {
        "BYTE_LEN",
        "IMM",
        "QP_NUM",
        "SRC_QP",
        "SLID",
        "SL",
        "DLID_PATH_BITS",
        "COMPLETION_TIMESTAMP",
        "CVLAN",
        "FLOW_TAG",
        "TM_INFO",
        "COMPLETION_TIMESTAMP_WALLCLOCK",
    };

    private WcExFlags() {}

    /**
     * Names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "BYTE_LEN|IMM"}; {@code "0"} if no bit is set; bits without a name come
     *     last, as one hexadecimal number
     */
    public static String toString(long bits) {
        return InputAttr.join(bits, NAMES);
    }
}
