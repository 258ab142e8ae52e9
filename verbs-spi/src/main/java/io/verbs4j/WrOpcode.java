/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Operations of a send work request.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_post_send(3)}.
 */
public final class WrOpcode {
    /** Write to the memory of the peer; RC and UC. Source: {@code IBV_WR_RDMA_WRITE}, {@code ibv_post_send(3)}. */
    public static final int RDMA_WRITE = 0;

    /**
     * Write to the memory of the peer and complete one of its receives with immediate data; RC and UC. Source:
     * {@code IBV_WR_RDMA_WRITE_WITH_IMM}, {@code ibv_post_send(3)}.
     */
    public static final int RDMA_WRITE_WITH_IMM = 1;

    /**
     * Send a message to a receive of the peer; RC, UC and UD. Source: {@code IBV_WR_SEND}, {@code ibv_post_send(3)}.
     */
    public static final int SEND = 2;

    /**
     * Send a message with immediate data to a receive of the peer; RC, UC and UD. Source: {@code IBV_WR_SEND_WITH_IMM},
     * {@code ibv_post_send(3)}.
     */
    public static final int SEND_WITH_IMM = 3;

    /** Read from the memory of the peer; RC. Source: {@code IBV_WR_RDMA_READ}, {@code ibv_post_send(3)}. */
    public static final int RDMA_READ = 4;

    /**
     * Replace 8 bytes at the peer if they equal a given value, and fetch the former value; RC. The 8 bytes are a number
     * in the byte order of the machine whose memory holds them: {@link java.nio.ByteOrder#nativeOrder()}, for the
     * values compared, added and fetched alike. Source: {@code IBV_WR_ATOMIC_CMP_AND_SWP}, {@code ibv_post_send(3)}.
     */
    public static final int ATOMIC_CMP_AND_SWP = 5;

    /**
     * Add to 8 bytes at the peer and fetch the former value; RC. Byte order as with {@link #ATOMIC_CMP_AND_SWP}.
     * Source: {@code IBV_WR_ATOMIC_FETCH_AND_ADD}, {@code ibv_post_send(3)}.
     */
    public static final int ATOMIC_FETCH_AND_ADD = 6;

    /**
     * Invalidate a remote key of a memory window of type 2 or a fast-registered region:
     * {@link SendWorkRequest#invalidateRkey()}. Sends nothing; RC. Starts when all requests before it in the queue have
     * completed. Since level 3. Source: {@code IBV_WR_LOCAL_INV}, {@code ibv_post_send(3)}.
     */
    public static final int LOCAL_INV = 7;

    /**
     * Bind a memory window of type 2: {@link SendWorkRequest#mw()}, {@link SendWorkRequest#mwRkey()},
     * {@link SendWorkRequest#mwBind()}. Sends nothing; RC and UC. Since level 3. Source: {@code IBV_WR_BIND_MW},
     * {@code ibv_post_send(3)}.
     */
    public static final int BIND_MW = 8;

    /**
     * Send a message that invalidates one of the peer's remote keys: {@link SendWorkRequest#invalidateRkey()}; RC.
     * Success means that the message arrived, not that the key could be invalidated: if it could not, the peer's
     * receive fails. Since level 3. Source: {@code IBV_WR_SEND_WITH_INV}, {@code ibv_post_send(3)}.
     */
    public static final int SEND_WITH_INV = 9;

    /**
     * Send a TCP segment longer than a frame, which the device splits: each frame gets
     * {@link SendWorkRequest#tsoHeader()}, with its own numbers and checksums, and {@link SendWorkRequest#mss()} bytes
     * of the data; raw packets. Since level 4. Source: {@code IBV_WR_TSO}, {@code ibv_post_send(3)}.
     */
    public static final int TSO = 10;

    /**
     * Compare and swap selected bits of {@link SendWorkRequest#atomicWidth()} bytes: if the bits in
     * {@link SendWorkRequest#compareAddMask()} equal those of {@link SendWorkRequest#compareAdd()}, the bits in
     * {@link SendWorkRequest#swapMask()} are replaced by those of {@link SendWorkRequest#swap()}; the former value is
     * fetched in either case. RC. Since level 3. Source: {@code IB_UVERBS_WR_MASKED_ATOMIC_CMP_AND_SWP}; libibverbs has
     * no name for it.
     */
    public static final int MASKED_ATOMIC_CMP_AND_SWP = 12;

    /**
     * Fetch and add several fields of {@link SendWorkRequest#atomicWidth()} bytes: a bit set in
     * {@link SendWorkRequest#compareAddMask()} is the top bit of a field, whose carry is dropped. RC. Since level 3.
     * Source: {@code IB_UVERBS_WR_MASKED_ATOMIC_FETCH_AND_ADD}; libibverbs has no name for it.
     */
    public static final int MASKED_ATOMIC_FETCH_AND_ADD = 13;

    /**
     * Wait until what was written to a range of the peer's memory by this queue pair has reached the place that
     * {@link SendWorkRequest#flushType()} selects; RC. Since level 3. Source: {@code IBV_WR_FLUSH},
     * {@code ibv_wr_flush(3)}.
     */
    public static final int FLUSH = 14;

    /**
     * Write 8 bytes at the peer atomically, so that no reader sees only a part of them:
     * {@link SendWorkRequest#atomicWriteValue()}; RC. Since level 3. Source: {@code IBV_WR_ATOMIC_WRITE},
     * {@code ibv_wr_atomic_write(3)}.
     */
    public static final int ATOMIC_WRITE = 15;

    /**
     * Fast register: give memory to a key of {@link ProtectionDomain#allocMrKey(MrKeyInitAttr)}, with
     * {@link SendWorkRequest#fastRegister()} and the pieces of memory in {@link SendWorkRequest#sgList()}. Sends
     * nothing; RC. Since level 3. Source: {@code IB_WR_REG_MR} of the Linux kernel; libibverbs does not have it.
     * Numbers from 0x1000 are verbs4j's own.
     */
    public static final int REG_MR = 0x1000;

    /**
     * RDMA read that invalidates the local key of its destination after the last byte has arrived and before it
     * completes. The key is that of its only element, made by fast register. RC. Since level 3. Source:
     * {@code IB_WR_RDMA_READ_WITH_INV} of the Linux kernel.
     */
    public static final int RDMA_READ_WITH_INV = 0x1001;

    /**
     * Do nothing but complete, in order with the other requests. Since level 3. Source: the no-op of the vendors' work
     * queues.
     */
    public static final int NOP = 0x1002;

    /**
     * Hold up the send queue until a completion queue, {@link SendWorkRequest#waitCq()}, has had
     * {@link SendWorkRequest#waitCount()} completions more than at the last wait for it. Since level 3. Source: cross
     * channel of MLNX_OFED, {@code IBV_EXP_WR_CQE_WAIT}.
     */
    public static final int CQE_WAIT = 0x1003;

    /**
     * Enable {@link SendWorkRequest#waitCount()} more send work requests of another queue pair,
     * {@link SendWorkRequest#enableQp()}, created with {@link QpCreateFlags#MANAGED_SEND}; 0 enables all that are
     * posted. Since level 3. Source: cross channel of MLNX_OFED, {@code IBV_EXP_WR_SEND_ENABLE}.
     */
    public static final int SEND_ENABLE = 0x1004;

    /**
     * Enable receives of a queue pair created with {@link QpCreateFlags#MANAGED_RECV}, as {@link #SEND_ENABLE} does
     * sends. Since level 3. Source: cross channel of MLNX_OFED, {@code IBV_EXP_WR_RECV_ENABLE}.
     */
    public static final int RECV_ENABLE = 0x1005;

    private WrOpcode() {}

    /**
     * Returns the name of a value.
     *
     * @param opcode one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
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
