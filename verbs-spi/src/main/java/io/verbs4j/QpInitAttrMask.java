/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Map;

/**
 * Bits that say which attributes of a {@link QpInitAttrEx} are set.
 *
 * <p>{@link InputAttr} explains the ranges of bits. Since level 2. Source: {@code ibv_create_qp_ex(3)},
 * {@code IBV_QP_INIT_ATTR_*}.
 */
public final class QpInitAttrMask {
    /** Bit: the protection domain. Source: {@code IBV_QP_INIT_ATTR_PD}, {@code ibv_create_qp_ex(3)}. */
    public static final long PD = 1L << 0;

    /** Bit: the XRC domain. Source: {@code IBV_QP_INIT_ATTR_XRCD}, {@code ibv_create_qp_ex(3)}. */
    public static final long XRCD = 1L << 1;

    /**
     * Bit: {@link QpInitAttrEx#createFlags()}. Since level 3. Source: {@code IBV_QP_INIT_ATTR_CREATE_FLAGS},
     * {@code ibv_create_qp_ex(3)}.
     */
    public static final long CREATE_FLAGS = 1L << 2;

    /**
     * Bit, optional: {@link QpInitAttrEx#createFlags()} has bits of {@link QpCreateFlags#OPTIONAL_RANGE}. If it has no
     * others, {@link #CREATE_FLAGS} is not set, and a provider that does not know this bit ignores them. Since level 3.
     */
    public static final long CREATE_HINTS = 1L << 56;

    /**
     * Bit: {@link QpInitAttrEx#maxTsoHeader()}. Since level 4. Source: {@code IBV_QP_INIT_ATTR_MAX_TSO_HEADER},
     * {@code ibv_create_qp_ex(3)}.
     */
    public static final long MAX_TSO_HEADER = 1L << 3;

    /**
     * Bit: {@link QpInitAttrEx#rwqIndTbl()}. Since level 4. Source: {@code IBV_QP_INIT_ATTR_IND_TABLE},
     * {@code ibv_create_qp_ex(3)}.
     */
    public static final long IND_TABLE = 1L << 4;

    /**
     * Bit: {@link QpInitAttrEx#rxHashConf()}. Since level 4. Source: {@code IBV_QP_INIT_ATTR_RX_HASH},
     * {@code ibv_create_qp_ex(3)}.
     */
    public static final long RX_HASH = 1L << 5;

    /**
     * Bit: the operations that will be posted, {@link QpCreateSendOps}. Source:
     * {@code IBV_QP_INIT_ATTR_SEND_OPS_FLAGS}, {@code ibv_create_qp_ex(3)}.
     */
    public static final long SEND_OPS_FLAGS = 1L << 6;

    /**
     * Bit: the vendor's own attributes. In C, functions of the vendor take them: {@code mlx5dv_create_qp(3)},
     * {@code efadv_create_qp_ex(3)}.
     */
    public static final long VENDOR = 1L << 31;

    /** Bits below 32 that the library must know, too: domains, and the indirection table of receive side scaling. */
    public static final long LIBRARY_BITS = PD | XRCD | IND_TABLE;

    private static final String[] NAMES = InputAttr.names(Map.ofEntries(
            Map.entry(PD, "PD"),
            Map.entry(XRCD, "XRCD"),
            Map.entry(CREATE_FLAGS, "CREATE_FLAGS"),
            Map.entry(MAX_TSO_HEADER, "MAX_TSO_HEADER"),
            Map.entry(IND_TABLE, "IND_TABLE"),
            Map.entry(RX_HASH, "RX_HASH"),
            Map.entry(SEND_OPS_FLAGS, "SEND_OPS_FLAGS"),
            Map.entry(VENDOR, "VENDOR"),
            Map.entry(CREATE_HINTS, "CREATE_HINTS")));

    private QpInitAttrMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "PD|XRCD"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long mask) {
        return InputAttr.join(mask, NAMES);
    }
}
