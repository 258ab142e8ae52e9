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
            default:
                return "unknown (" + opcode + ")";
        }
    }
}
