/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that select the attributes of a queue pair to set or to query.
 *
 * <p>A value is the OR of any of the constants; the numbers are those of C. The library passes on bits that it does not
 * know (0 to 27), and the provider fails with {@link Errno#EOPNOTSUPP} for one that it does not know either. Bits 28 to
 * 31 are for attributes that the library must know, too; there are none yet. Source: {@code ibv_modify_qp(3)}.
 */
public final class QpAttrMask {
    /** Bit: the state to move to. Source: {@code IBV_QP_STATE}, {@code ibv_modify_qp(3)}. */
    public static final int STATE = 1 << 0;

    /**
     * Bit: the state that the caller expects the queue pair to be in. Source: {@code IBV_QP_CUR_STATE},
     * {@code ibv_modify_qp(3)}.
     */
    public static final int CUR_STATE = 1 << 1;

    /**
     * Bit: whether an event reports that the send queue has drained. Source: {@code IBV_QP_EN_SQD_ASYNC_NOTIFY},
     * {@code ibv_modify_qp(3)}.
     */
    public static final int EN_SQD_ASYNC_NOTIFY = 1 << 2;

    /** Bit: the {@link AccessFlags} granted to peers. Source: {@code IBV_QP_ACCESS_FLAGS}, {@code ibv_modify_qp(3)}. */
    public static final int ACCESS_FLAGS = 1 << 3;

    /** Bit: the index into the P_Key table of the port. Source: {@code IBV_QP_PKEY_INDEX}, {@code ibv_modify_qp(3)}. */
    public static final int PKEY_INDEX = 1 << 4;

    /** Bit: the port number, from 1. Source: {@code IBV_QP_PORT}, {@code ibv_modify_qp(3)}. */
    public static final int PORT = 1 << 5;

    /** Bit: the Q_Key; UD only. Source: {@code IBV_QP_QKEY}, {@code ibv_modify_qp(3)}. */
    public static final int QKEY = 1 << 6;

    /**
     * Bit: the address vector of the primary path; RC and UC only. Source: {@code IBV_QP_AV}, {@code ibv_modify_qp(3)}.
     */
    public static final int AV = 1 << 7;

    /**
     * Bit: the path MTU, one of {@link Mtu}; RC and UC only. Source: {@code IBV_QP_PATH_MTU}, {@code ibv_modify_qp(3)}.
     */
    public static final int PATH_MTU = 1 << 8;

    /**
     * Bit: the acknowledgement timeout as an exponent n, 4.096 microseconds times 2 to the n; 0 is no timeout; RC only.
     * Source: {@code IBV_QP_TIMEOUT}, {@code ibv_modify_qp(3)}.
     */
    public static final int TIMEOUT = 1 << 9;

    /**
     * Bit: how often to retry when no acknowledgement arrives, 0 to 7; RC only. Source: {@code IBV_QP_RETRY_CNT},
     * {@code ibv_modify_qp(3)}.
     */
    public static final int RETRY_CNT = 1 << 10;

    /**
     * Bit: how often to retry when the receiver is not ready, 0 to 7, where 7 means forever; RC only. Source:
     * {@code IBV_QP_RNR_RETRY}, {@code ibv_modify_qp(3)}.
     */
    public static final int RNR_RETRY = 1 << 11;

    /**
     * Bit: the packet sequence number that the first packet received must have, 24 bits; RC and UC only. Source:
     * {@code IBV_QP_RQ_PSN}, {@code ibv_modify_qp(3)}.
     */
    public static final int RQ_PSN = 1 << 12;

    /**
     * Bit: the maximum number of outstanding RDMA reads and atomics as the initiator; RC only. Source:
     * {@code IBV_QP_MAX_QP_RD_ATOMIC}, {@code ibv_modify_qp(3)}.
     */
    public static final int MAX_QP_RD_ATOMIC = 1 << 13;

    /**
     * Bit: the alternate path: address vector, P_Key index, port and timeout; RC and UC only. Source:
     * {@code IBV_QP_ALT_PATH}, {@code ibv_modify_qp(3)}.
     */
    public static final int ALT_PATH = 1 << 14;

    /**
     * Bit: the code of the minimum time that a peer must wait when this side is not ready, 0 to 31; RC only. Source:
     * {@code IBV_QP_MIN_RNR_TIMER}, {@code ibv_modify_qp(3)}.
     */
    public static final int MIN_RNR_TIMER = 1 << 15;

    /**
     * Bit: the packet sequence number of the first packet sent, 24 bits. Source: {@code IBV_QP_SQ_PSN},
     * {@code ibv_modify_qp(3)}.
     */
    public static final int SQ_PSN = 1 << 16;

    /**
     * Bit: the maximum number of outstanding RDMA reads and atomics as the responder; RC only. Source:
     * {@code IBV_QP_MAX_DEST_RD_ATOMIC}, {@code ibv_modify_qp(3)}.
     */
    public static final int MAX_DEST_RD_ATOMIC = 1 << 17;

    /**
     * Bit: the state of path migration, one of {@link MigState}; RC and UC only. Source: {@code IBV_QP_PATH_MIG_STATE},
     * {@code ibv_modify_qp(3)}.
     */
    public static final int PATH_MIG_STATE = 1 << 18;

    /**
     * Bit: the sizes of the queues, if the device has {@link DeviceCap#RESIZE_MAX_WR}. Source: {@code IBV_QP_CAP},
     * {@code ibv_modify_qp(3)}.
     */
    public static final int CAP = 1 << 19;

    /**
     * Bit: the queue pair number of the peer, 24 bits; RC and UC only. Source: {@code IBV_QP_DEST_QPN},
     * {@code ibv_modify_qp(3)}.
     */
    public static final int DEST_QPN = 1 << 20;

    /**
     * Bit: the vendor's own attributes. In C, functions of the vendor take them, for instance {@code hbldv_modify_qp}.
     */
    public static final int VENDOR = 1 << 27;

    /** Bits that the library must know, too, because they carry a handle or change what it does; there are none yet. */
    public static final int LIBRARY_RANGE = 0xf000_0000;

    /** The bits that the state table covers: those of level 1. */
    static final int IN_STATE_TABLE = (1 << 21) - 1;

    private static final String[] NAMES = {
        "STATE",
        "CUR_STATE",
        "EN_SQD_ASYNC_NOTIFY",
        "ACCESS_FLAGS",
        "PKEY_INDEX",
        "PORT",
        "QKEY",
        "AV",
        "PATH_MTU",
        "TIMEOUT",
        "RETRY_CNT",
        "RNR_RETRY",
        "RQ_PSN",
        "MAX_QP_RD_ATOMIC",
        "ALT_PATH",
        "MIN_RNR_TIMER",
        "SQ_PSN",
        "MAX_DEST_RD_ATOMIC",
        "PATH_MIG_STATE",
        "CAP",
        "DEST_QPN",
        null,
        null,
        null,
        null,
        null,
        null,
        "VENDOR",
    };

    private QpAttrMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "STATE|CUR_STATE"}; {@code "0"} if no bit is set; bits without a name come last, as
     *     one hexadecimal number
     */
    public static String toString(int mask) {
        return DeviceCap.join(mask, NAMES);
    }
}
