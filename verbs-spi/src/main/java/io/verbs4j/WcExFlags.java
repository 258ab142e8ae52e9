/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that select the fields of an extended completion queue's completions: {@link CqInitAttrEx#wcFlags()}.
 *
 * <p>No bit is or will be optional: a library or provider that does not know or support one fails with EOPNOTSUPP.
 *
 * <p>Every device has those of {@link #STANDARD}. Since level 3. Source: {@code ibv_create_cq_ex(3)},
 * {@code IBV_WC_EX_WITH_*}.
 */
public final class WcExFlags {
    /** Bit: the number of bytes. Source: {@code IBV_WC_EX_WITH_BYTE_LEN}, {@code ibv_create_cq_ex(3)}. */
    public static final long BYTE_LEN = 1L << 0;

    /** Bit: immediate data, or the invalidated key. Source: {@code IBV_WC_EX_WITH_IMM}, {@code ibv_create_cq_ex(3)}. */
    public static final long IMM = 1L << 1;

    /** Bit: the number of the local queue pair. Source: {@code IBV_WC_EX_WITH_QP_NUM}, {@code ibv_create_cq_ex(3)}. */
    public static final long QP_NUM = 1L << 2;

    /** Bit: the number of the remote queue pair. Source: {@code IBV_WC_EX_WITH_SRC_QP}, {@code ibv_create_cq_ex(3)}. */
    public static final long SRC_QP = 1L << 3;

    /** Bit: the source LID. Source: {@code IBV_WC_EX_WITH_SLID}, {@code ibv_create_cq_ex(3)}. */
    public static final long SLID = 1L << 4;

    /** Bit: the service level. Source: {@code IBV_WC_EX_WITH_SL}, {@code ibv_create_cq_ex(3)}. */
    public static final long SL = 1L << 5;

    /**
     * Bit: the path bits of the destination LID. Source: {@code IBV_WC_EX_WITH_DLID_PATH_BITS},
     * {@code ibv_create_cq_ex(3)}.
     */
    public static final long DLID_PATH_BITS = 1L << 6;

    /**
     * Bit: the time of completion in ticks of the device's clock. Source: {@code IBV_WC_EX_WITH_COMPLETION_TIMESTAMP},
     * {@code ibv_create_cq_ex(3)}.
     */
    public static final long COMPLETION_TIMESTAMP = 1L << 7;

    /** Bit: the VLAN tag of a raw packet. Source: {@code IBV_WC_EX_WITH_CVLAN}, {@code ibv_create_cq_ex(3)}. */
    public static final long CVLAN = 1L << 8;

    /**
     * Bit: the tag of the flow that steered a raw packet. Source: {@code IBV_WC_EX_WITH_FLOW_TAG},
     * {@code ibv_create_cq_ex(3)}.
     */
    public static final long FLOW_TAG = 1L << 9;

    /**
     * Bit: the tag and private data of a matched message. Source: {@code IBV_WC_EX_WITH_TM_INFO},
     * {@code ibv_create_cq_ex(3)}.
     */
    public static final long TM_INFO = 1L << 10;

    /**
     * Bit: the time of completion in nanoseconds of the wall clock. Source:
     * {@code IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK}, {@code ibv_create_cq_ex(3)}.
     */
    public static final long COMPLETION_TIMESTAMP_WALLCLOCK = 1L << 11;

    /**
     * The bits that every device supports: the fields of a level-1 completion. Source: {@code IBV_WC_STANDARD_FLAGS}.
     */
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
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "BYTE_LEN|IMM"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long bits) {
        return InputAttr.join(bits, NAMES);
    }
}
