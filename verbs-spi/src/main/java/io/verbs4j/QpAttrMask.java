/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that tell which attributes of a queue pair to set or to query.
 *
 * <p>A value is the OR of any of the constants; the numbers are those of C. The library passes on bits that it does not know
 * (0 to 27), and the provider answers for them: {@link Errno#EOPNOTSUPP} for one that it does not know. Bits 28 to 31 are for
 * what a library must know too; there are none yet. Source: {@code ibv_modify_qp(3)}.
 */
public final class QpAttrMask {
    /** Bit: the state to go to. Source: {@code IBV_QP_STATE}, ibv_modify_qp(3). */
    public static final int STATE = 1 << 0;

    /**
     * Bit: the state that the caller expects the queue pair to be in. Source: {@code IBV_QP_CUR_STATE},
     * ibv_modify_qp(3).
     */
    public static final int CUR_STATE = 1 << 1;

    /**
     * Bit: whether an event tells that the send queue is drained. Source: {@code IBV_QP_EN_SQD_ASYNC_NOTIFY},
     * ibv_modify_qp(3).
     */
    public static final int EN_SQD_ASYNC_NOTIFY = 1 << 2;

    /** Bit: the {@link AccessFlags} that peers have. Source: {@code IBV_QP_ACCESS_FLAGS}, ibv_modify_qp(3). */
    public static final int ACCESS_FLAGS = 1 << 3;

    /** Bit: the index into the P_Key table of the port. Source: {@code IBV_QP_PKEY_INDEX}, ibv_modify_qp(3). */
    public static final int PKEY_INDEX = 1 << 4;

    /** Bit: the port number, from 1. Source: {@code IBV_QP_PORT}, ibv_modify_qp(3). */
    public static final int PORT = 1 << 5;

    /** Bit: the Q_Key; UD only. Source: {@code IBV_QP_QKEY}, ibv_modify_qp(3). */
    public static final int QKEY = 1 << 6;

    /** Bit: the address vector of the primary path; RC and UC only. Source: {@code IBV_QP_AV}, ibv_modify_qp(3). */
    public static final int AV = 1 << 7;

    /** Bit: the path MTU, one of {@link Mtu}; RC and UC only. Source: {@code IBV_QP_PATH_MTU}, ibv_modify_qp(3). */
    public static final int PATH_MTU = 1 << 8;

    /**
     * Bit: the acknowledge timeout as an exponent n, 4.096 microseconds times 2 to the n; 0 is no timeout; RC only.
     * Source: {@code IBV_QP_TIMEOUT}, ibv_modify_qp(3).
     */
    public static final int TIMEOUT = 1 << 9;

    /**
     * Bit: how often to retry when no acknowledge comes, 0 to 7; RC only. Source: {@code IBV_QP_RETRY_CNT},
     * ibv_modify_qp(3).
     */
    public static final int RETRY_CNT = 1 << 10;

    /**
     * Bit: how often to retry when the receiver is not ready, 0 to 7, where 7 is for ever; RC only. Source: {@code
     * IBV_QP_RNR_RETRY}, ibv_modify_qp(3).
     */
    public static final int RNR_RETRY = 1 << 11;

    /**
     * Bit: the packet sequence number that the first packet received must have, 24 bits; RC and UC only. Source: {@code
     * IBV_QP_RQ_PSN}, ibv_modify_qp(3).
     */
    public static final int RQ_PSN = 1 << 12;

    /**
     * Bit: the number of own RDMA reads and atomics under way at a time; RC only. Source: {@code
     * IBV_QP_MAX_QP_RD_ATOMIC}, ibv_modify_qp(3).
     */
    public static final int MAX_QP_RD_ATOMIC = 1 << 13;

    /**
     * Bit: the alternate path: address vector, P_Key index, port and timeout; RC and UC only. Source: {@code
     * IBV_QP_ALT_PATH}, ibv_modify_qp(3).
     */
    public static final int ALT_PATH = 1 << 14;

    /**
     * Bit: the code of the least time that a peer must wait when this side is not ready, 0 to 31; RC only. Source:
     * {@code IBV_QP_MIN_RNR_TIMER}, ibv_modify_qp(3).
     */
    public static final int MIN_RNR_TIMER = 1 << 15;

    /**
     * Bit: the packet sequence number of the first packet sent, 24 bits. Source: {@code IBV_QP_SQ_PSN},
     * ibv_modify_qp(3).
     */
    public static final int SQ_PSN = 1 << 16;

    /**
     * Bit: the number of RDMA reads and atomics of the peer to serve at a time; RC only. Source: {@code
     * IBV_QP_MAX_DEST_RD_ATOMIC}, ibv_modify_qp(3).
     */
    public static final int MAX_DEST_RD_ATOMIC = 1 << 17;

    /**
     * Bit: the state of path migration, one of {@link MigState}; RC and UC only. Source: {@code IBV_QP_PATH_MIG_STATE},
     * ibv_modify_qp(3).
     */
    public static final int PATH_MIG_STATE = 1 << 18;

    /**
     * Bit: the sizes of the queues, where the device has {@link DeviceCap#RESIZE_MAX_WR}. Source: {@code IBV_QP_CAP},
     * ibv_modify_qp(3).
     */
    public static final int CAP = 1 << 19;

    /**
     * Bit: the queue pair number of the peer, 24 bits; RC and UC only. Source: {@code IBV_QP_DEST_QPN},
     * ibv_modify_qp(3).
     */
    public static final int DEST_QPN = 1 << 20;

    /** Bit: attributes of the vendor's own. C has functions of the vendor's for them, for instance {@code hbldv_modify_qp}. */
    public static final int VENDOR = 1 << 27;

    /** Bits that the library must know too, because they carry a handle or change what it does; there are none yet. */
    public static final int LIBRARY_RANGE = 0xf000_0000;

    /** The bits that the state table has an opinion on: those of level 1. */
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
     * Names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "STATE|CUR_STATE"}; {@code "0"} if no bit is set; bits without a name come last, as
     * one hexadecimal number
     */
    public static String toString(int mask) {
        return DeviceCap.join(mask, NAMES);
    }
}
