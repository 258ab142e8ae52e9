/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * Operations that a counter can count, for {@link EfaCompCntr#attach}. Requires rdma-core 65. Source:
 * {@code ibv_qp_attach_comp_cntr(3)}, {@code IBV_QP_ATTACH_COMP_CNTR_OP_*}.
 */
public final class EfaCompCntrOps {
    /** Sends. */
    public static final int SEND = 1 << 0;

    /** Receives. */
    public static final int RECV = 1 << 1;

    /** RDMA reads. */
    public static final int RDMA_READ = 1 << 2;

    /** RDMA reads by the peer. */
    public static final int REMOTE_RDMA_READ = 1 << 3;

    /** RDMA writes. */
    public static final int RDMA_WRITE = 1 << 4;

    /** RDMA writes by the peer. */
    public static final int REMOTE_RDMA_WRITE = 1 << 5;

    private EfaCompCntrOps() {}
}
