/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Operations that a work completion reports. Bit {@link #RECV} distinguishes completions of the receive side from those
 * of the send side.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_poll_cq(3)}.
 */
public final class WcOpcode {
    /** A send. Source: {@code IBV_WC_SEND}, {@code ibv_poll_cq(3)}. */
    public static final int SEND = 0;

    /** An RDMA write. Source: {@code IBV_WC_RDMA_WRITE}, {@code ibv_poll_cq(3)}. */
    public static final int RDMA_WRITE = 1;

    /** An RDMA read; the data is in the local buffers. Source: {@code IBV_WC_RDMA_READ}, {@code ibv_poll_cq(3)}. */
    public static final int RDMA_READ = 2;

    /**
     * A compare and swap; the former value is in the local buffer. Source: {@code IBV_WC_COMP_SWAP},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int COMP_SWAP = 3;

    /**
     * A fetch and add; the former value is in the local buffer. Source: {@code IBV_WC_FETCH_ADD},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int FETCH_ADD = 4;

    /** A bind of a memory window. Source: {@code IBV_WC_BIND_MW}, {@code ibv_poll_cq(3)}. */
    public static final int BIND_MW = 5;

    /** {@link WrOpcode#LOCAL_INV}. Since level 3. Source: {@code IBV_WC_LOCAL_INV}, {@code ibv_poll_cq(3)}. */
    public static final int LOCAL_INV = 6;

    /** {@link WrOpcode#TSO}. Since level 4. Source: {@code IBV_WC_TSO}, {@code ibv_poll_cq(3)}. */
    public static final int TSO = 7;

    /**
     * A receive; also the bit that is set in every completion of the receive side. Source: {@code IBV_WC_RECV},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int RECV = 1 << 7;

    /**
     * A receive that an RDMA write with immediate data by the peer consumed. Source: {@code IBV_WC_RECV_RDMA_WITH_IMM},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int RECV_RDMA_WITH_IMM = RECV + 1;

    /**
     * A tagged buffer was added: {@link OpsWrOpcode#TAG_ADD}. Since level 4. Source: {@code IBV_WC_TM_ADD},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int TM_ADD = RECV + 2;

    /**
     * A tagged buffer was removed: {@link OpsWrOpcode#TAG_DEL}. Since level 4. Source: {@code IBV_WC_TM_DEL},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int TM_DEL = RECV + 3;

    /**
     * The count of unexpected messages was reported to the device: {@link OpsWrOpcode#TAG_SYNC}. Since level 4. Source:
     * {@code IBV_WC_TM_SYNC}, {@code ibv_poll_cq(3)}.
     */
    public static final int TM_SYNC = RECV + 4;

    /**
     * A message with a tag arrived. {@link WcFlags} describe the result: without {@link WcFlags#TM_MATCH} and
     * {@link WcFlags#TM_DATA_VALID} the message was unexpected and is in an ordinary receive buffer. Since level 4.
     * Source: {@code IBV_WC_TM_RECV}, {@code ibv_poll_cq(3)}.
     */
    public static final int TM_RECV = RECV + 5;

    /** A message without a tag arrived. Since level 4. Source: {@code IBV_WC_TM_NO_TAG}, {@code ibv_poll_cq(3)}. */
    public static final int TM_NO_TAG = RECV + 6;

    /** {@link WrOpcode#FLUSH}. Since level 3. Source: {@code IBV_WC_FLUSH}, {@code ibv_poll_cq(3)}. */
    public static final int FLUSH = 8;

    /** {@link WrOpcode#ATOMIC_WRITE}. Since level 3. Source: {@code IBV_WC_ATOMIC_WRITE}, {@code ibv_poll_cq(3)}. */
    public static final int ATOMIC_WRITE = 9;

    /** {@link WrOpcode#REG_MR}. Since level 3. Numbers from 0x1000 are verbs4j's own. */
    public static final int REG_MR = 0x1000;

    /** {@link WrOpcode#NOP}. Since level 3. */
    public static final int NOP = 0x1002;

    /** {@link WrOpcode#CQE_WAIT}. Since level 3. */
    public static final int CQE_WAIT = 0x1003;

    /** {@link WrOpcode#SEND_ENABLE}. Since level 3. */
    public static final int SEND_ENABLE = 0x1004;

    /** {@link WrOpcode#RECV_ENABLE}. Since level 3. */
    public static final int RECV_ENABLE = 0x1005;

    /** {@link WrOpcode#MASKED_ATOMIC_CMP_AND_SWP}; the former value is in the local buffer. Since level 3. */
    public static final int MASKED_COMP_SWAP = 0x1006;

    /** {@link WrOpcode#MASKED_ATOMIC_FETCH_AND_ADD}; the former value is in the local buffer. Since level 3. */
    public static final int MASKED_FETCH_ADD = 0x1007;

    private WcOpcode() {}

    /**
     * Returns the name of a value.
     *
     * @param opcode one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int opcode) {
        switch (opcode) {
            case SEND:
                return "SEND";
            case RDMA_WRITE:
                return "RDMA_WRITE";
            case RDMA_READ:
                return "RDMA_READ";
            case COMP_SWAP:
                return "COMP_SWAP";
            case FETCH_ADD:
                return "FETCH_ADD";
            case BIND_MW:
                return "BIND_MW";
            case LOCAL_INV:
                return "LOCAL_INV";
            case TSO:
                return "TSO";
            case RECV:
                return "RECV";
            case RECV_RDMA_WITH_IMM:
                return "RECV_RDMA_WITH_IMM";
            case TM_ADD:
                return "TM_ADD";
            case TM_DEL:
                return "TM_DEL";
            case TM_SYNC:
                return "TM_SYNC";
            case TM_RECV:
                return "TM_RECV";
            case TM_NO_TAG:
                return "TM_NO_TAG";
            case FLUSH:
                return "FLUSH";
            case ATOMIC_WRITE:
                return "ATOMIC_WRITE";
            case REG_MR:
                return "REG_MR";
            case NOP:
                return "NOP";
            case CQE_WAIT:
                return "CQE_WAIT";
            case SEND_ENABLE:
                return "SEND_ENABLE";
            case RECV_ENABLE:
                return "RECV_ENABLE";
            case MASKED_COMP_SWAP:
                return "MASKED_COMP_SWAP";
            case MASKED_FETCH_ADD:
                return "MASKED_FETCH_ADD";
            default:
                return "unknown (" + opcode + ")";
        }
    }
}
