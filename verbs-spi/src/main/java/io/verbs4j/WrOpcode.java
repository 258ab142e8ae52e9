/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Operations that a send work request can ask for.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_post_send(3)}.
 */
public final class WrOpcode {
    /** Write to the memory of the peer; RC and UC. Source: {@code IBV_WR_RDMA_WRITE}, ibv_post_send(3). */
    public static final int RDMA_WRITE = 0;

    /**
     * Write to the memory of the peer and complete one of its receives with immediate data; RC and UC. Source: {@code
     * IBV_WR_RDMA_WRITE_WITH_IMM}, ibv_post_send(3).
     */
    public static final int RDMA_WRITE_WITH_IMM = 1;

    /** Send a message to a receive of the peer; RC, UC and UD. Source: {@code IBV_WR_SEND}, ibv_post_send(3). */
    public static final int SEND = 2;

    /**
     * Send a message with immediate data to a receive of the peer; RC, UC and UD. Source: {@code IBV_WR_SEND_WITH_IMM},
     * ibv_post_send(3).
     */
    public static final int SEND_WITH_IMM = 3;

    /** Read from the memory of the peer; RC. Source: {@code IBV_WR_RDMA_READ}, ibv_post_send(3). */
    public static final int RDMA_READ = 4;

    /**
     * Replace 8 bytes at the peer if they equal a given value, and fetch the former value; RC. The 8 bytes are a number in the
     * byte order of the machine whose memory they are in: {@link java.nio.ByteOrder#nativeOrder()}, for what is compared, added
     * and fetched alike. Source: {@code IBV_WR_ATOMIC_CMP_AND_SWP}, ibv_post_send(3).
     */
    public static final int ATOMIC_CMP_AND_SWP = 5;

    /**
     * Add to 8 bytes at the peer and fetch the former value; RC. Byte order as with {@link #ATOMIC_CMP_AND_SWP}. Source: {@code
     * IBV_WR_ATOMIC_FETCH_AND_ADD}, ibv_post_send(3).
     */
    public static final int ATOMIC_FETCH_AND_ADD = 6;

    /**
     * Take what a remote key allows back, of a memory window of type 2 or a region of fast register: {@link
     * SendWorkRequest#invalidateRkey()}. Nothing travels; RC. Begins when all requests before it in the queue have completed. Since level 3.
     * Source: {@code IBV_WR_LOCAL_INV}, ibv_post_send(3).
     */
    public static final int LOCAL_INV = 7;

    /**
     * Bind a memory window of type 2: {@link SendWorkRequest#mw()}, {@link SendWorkRequest#mwRkey()}, {@link
     * SendWorkRequest#mwBind()}. Nothing travels; RC and UC. Since level 3. Source: {@code IBV_WR_BIND_MW}, ibv_post_send(3).
     */
    public static final int BIND_MW = 8;

    /**
     * Send a message that takes back what one of the peer's remote keys allows: {@link SendWorkRequest#invalidateRkey()}; RC. That the
     * message has arrived does not say that the key was one to take back: where not, the peer's receive fails. Since level 3. Source:
     * {@code IBV_WR_SEND_WITH_INV}, ibv_post_send(3).
     */
    public static final int SEND_WITH_INV = 9;

    /**
     * Send a segment of TCP that is longer than a frame, which the device cuts: each frame gets {@link
     * SendWorkRequest#tsoHeader()}, with its own numbers and checksums, and {@link SendWorkRequest#mss()} bytes of the data;
     * raw packets. Since level 4. Source: {@code IBV_WR_TSO}, ibv_post_send(3).
     */
    public static final int TSO = 10;

    /**
     * Compare and swap bit by bit, of {@link SendWorkRequest#atomicWidth()} bytes: where the bits of {@link
     * SendWorkRequest#compareAddMask()} equal those of {@link SendWorkRequest#compareAdd()}, the bits of {@link
     * SendWorkRequest#swapMask()} become those of {@link SendWorkRequest#swap()}; the former value is fetched in any case. RC. Since
     * level 3. Source: {@code IB_UVERBS_WR_MASKED_ATOMIC_CMP_AND_SWP}; libibverbs has no name for it.
     */
    public static final int MASKED_ATOMIC_CMP_AND_SWP = 12;

    /**
     * Fetch and add in fields, of {@link SendWorkRequest#atomicWidth()} bytes: the carry out of a bit is dropped where that bit is
     * set in {@link SendWorkRequest#compareAddMask()}, so that a set bit is the top of a field. RC. Since level 3. Source: {@code
     * IB_UVERBS_WR_MASKED_ATOMIC_FETCH_AND_ADD}; libibverbs has no name for it.
     */
    public static final int MASKED_ATOMIC_FETCH_AND_ADD = 13;

    /**
     * Wait until what was written to a range of the peer's memory by this queue pair is where {@link SendWorkRequest#flushType()} says;
     * RC. Since level 3. Source: {@code IBV_WR_FLUSH}, ibv_wr_flush(3).
     */
    public static final int FLUSH = 14;

    /**
     * Write 8 bytes at the peer at once, so that nobody sees a part of them: {@link SendWorkRequest#atomicWriteValue()}; RC. Since level
     * 3. Source: {@code IBV_WR_ATOMIC_WRITE}, ibv_wr_atomic_write(3).
     */
    public static final int ATOMIC_WRITE = 15;

    /**
     * Fast register: gives memory to a key of {@link ProtectionDomain#allocMrKey(MrKeyInitAttr)}: {@link
     * SendWorkRequest#fastRegister()}, and the pieces of memory in {@link SendWorkRequest#sgList()}. Nothing travels; RC. Since level 3.
     * Source: {@code IB_WR_REG_MR} of the Linux kernel; libibverbs has none. Numbers from 0x1000 are verbs4j's own.
     */
    public static final int REG_MR = 0x1000;

    /**
     * RDMA read that takes back, when the last byte is there and before it completes, the local key that the data came by: that of its
     * one element, made by fast register. RC. Since level 3. Source: {@code IB_WR_RDMA_READ_WITH_INV} of the Linux kernel.
     */
    public static final int RDMA_READ_WITH_INV = 0x1001;

    /** Nothing but a completion, in order with the others. Since level 3. Source: the no-op of the vendors' work queues. */
    public static final int NOP = 0x1002;

    /**
     * Hold the send queue up until a completion queue has had {@link SendWorkRequest#waitCount()} completions more than
     * at the last wait for it: {@link SendWorkRequest#waitCq()}. Since level 3. Source: cross channel of MLNX_OFED,
     * {@code IBV_EXP_WR_CQE_WAIT}.
     */
    public static final int CQE_WAIT = 0x1003;

    /**
     * Let another queue pair made with {@link QpCreateFlags#MANAGED_SEND} begin {@link SendWorkRequest#waitCount()}
     * more of its send work requests, or with 0 all that are posted: {@link SendWorkRequest#enableQp()}. Since level 3.
     * Source: cross channel of MLNX_OFED, {@code IBV_EXP_WR_SEND_ENABLE}.
     */
    public static final int SEND_ENABLE = 0x1004;

    /**
     * As {@link #SEND_ENABLE}, of receives of a queue pair made with {@link QpCreateFlags#MANAGED_RECV}. Since level 3. Source: cross
     * channel of MLNX_OFED, {@code IBV_EXP_WR_RECV_ENABLE}.
     */
    public static final int RECV_ENABLE = 0x1005;

    private WrOpcode() {}

    /**
     * Name of a value.
     *
     * @param opcode one of the constants of this class
     * @return the name, {@code "unknown (99)"} for a value 99 without one
     */
    public static String toString(int opcode) {
        switch (opcode) {
            case RDMA_WRITE:
                return "RDMA_WRITE";
            case RDMA_WRITE_WITH_IMM:
                return "RDMA_WRITE_WITH_IMM";
            case SEND:
                return "SEND";
            case SEND_WITH_IMM:
                return "SEND_WITH_IMM";
            case RDMA_READ:
                return "RDMA_READ";
            case ATOMIC_CMP_AND_SWP:
                return "ATOMIC_CMP_AND_SWP";
            case ATOMIC_FETCH_AND_ADD:
                return "ATOMIC_FETCH_AND_ADD";
            case LOCAL_INV:
                return "LOCAL_INV";
            case BIND_MW:
                return "BIND_MW";
            case SEND_WITH_INV:
                return "SEND_WITH_INV";
            case TSO:
                return "TSO";
            case MASKED_ATOMIC_CMP_AND_SWP:
                return "MASKED_ATOMIC_CMP_AND_SWP";
            case MASKED_ATOMIC_FETCH_AND_ADD:
                return "MASKED_ATOMIC_FETCH_AND_ADD";
            case FLUSH:
                return "FLUSH";
            case ATOMIC_WRITE:
                return "ATOMIC_WRITE";
            case REG_MR:
                return "REG_MR";
            case RDMA_READ_WITH_INV:
                return "RDMA_READ_WITH_INV";
            case NOP:
                return "NOP";
            case CQE_WAIT:
                return "CQE_WAIT";
            case SEND_ENABLE:
                return "SEND_ENABLE";
            case RECV_ENABLE:
                return "RECV_ENABLE";
            default:
                return "unknown (" + opcode + ")";
        }
    }
}
