/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * The operations that a completion counter counts: an argument of
 * {@link QueuePair#attachCompCntr(CompletionCounter, int)}.
 *
 * <p>Since level 4. Source: {@code enum ibv_qp_attach_comp_cntr_op}, {@code ibv_qp_attach_comp_cntr(3)}.
 */
public final class CompCntrOps {
    /** Bit: sends by this queue pair. Source: {@code IBV_QP_ATTACH_COMP_CNTR_OP_SEND}. */
    public static final int SEND = 1 << 0;

    /** Bit: receives. Source: {@code IBV_QP_ATTACH_COMP_CNTR_OP_RECV}. */
    public static final int RECV = 1 << 1;

    /** Bit: RDMA reads by this queue pair. Source: {@code IBV_QP_ATTACH_COMP_CNTR_OP_RDMA_READ}. */
    public static final int RDMA_READ = 1 << 2;

    /** Bit: RDMA reads by the peer. Source: {@code IBV_QP_ATTACH_COMP_CNTR_OP_REMOTE_RDMA_READ}. */
    public static final int REMOTE_RDMA_READ = 1 << 3;

    /** Bit: RDMA writes by this queue pair. Source: {@code IBV_QP_ATTACH_COMP_CNTR_OP_RDMA_WRITE}. */
    public static final int RDMA_WRITE = 1 << 4;

    /** Bit: RDMA writes by the peer. Source: {@code IBV_QP_ATTACH_COMP_CNTR_OP_REMOTE_RDMA_WRITE}. */
    public static final int REMOTE_RDMA_WRITE = 1 << 5;

    private static final String[] NAMES = {
        "SEND", "RECV", "RDMA_READ", "REMOTE_RDMA_READ", "RDMA_WRITE", "REMOTE_RDMA_WRITE",
    };

    private CompCntrOps() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "SEND|RECV"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}
