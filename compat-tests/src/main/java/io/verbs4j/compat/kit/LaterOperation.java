/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.FastRegister;
import io.verbs4j.FlushType;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;

/** Like {@link Operation}: operations of level 3, which need more than memory on both sides. */
enum LaterOperation {
    ATOMIC_WRITE(WrOpcode.ATOMIC_WRITE, Capability.ATOMIC_WRITE),
    FLUSH(WrOpcode.FLUSH, Capability.FLUSH),
    MASKED_ATOMIC_CMP_AND_SWP(WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, Capability.MASKED_ATOMICS),
    MASKED_ATOMIC_FETCH_AND_ADD(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, Capability.MASKED_ATOMICS),
    REG_MR(WrOpcode.REG_MR, Capability.FAST_REGISTER),
    RDMA_READ_WITH_INV(WrOpcode.RDMA_READ_WITH_INV, Capability.READ_WITH_INV),
    NOP(WrOpcode.NOP, Capability.NOP),
    CQE_WAIT(WrOpcode.CQE_WAIT, Capability.CROSS_CHANNEL),
    SEND_ENABLE(WrOpcode.SEND_ENABLE, Capability.CROSS_CHANNEL),
    RECV_ENABLE(WrOpcode.RECV_ENABLE, Capability.CROSS_CHANNEL);

    final int opcode;
    final long bit;
    final Capability capability;

    LaterOperation(int opcode, Capability capability) {
        this.opcode = opcode;
        this.bit = QpCreateSendOps.of(opcode);
        this.capability = capability;
    }

    /** {@return a complete request, for a device that may not have the operation} */
    SendWorkRequest request(Side here, Side there) {
        SendWorkRequest wr = there == null ? here.wr(opcode, 1) : here.to(there, 64, here.wr(opcode, 1));
        switch (this) {
            case MASKED_ATOMIC_CMP_AND_SWP, MASKED_ATOMIC_FETCH_AND_ADD, RDMA_READ_WITH_INV ->
                wr.sgList(here.sge(0, 8));
            case FLUSH -> wr.flushType(FlushType.GLOBAL).flushLength(8);
            case REG_MR ->
                wr.sgList(here.sge(0, 8))
                        .fastRegister(new FastRegister().mr(here.mr).key(here.mr.lkey()));
            case CQE_WAIT -> wr.waitCq(here.cq).waitCount(1);
            case SEND_ENABLE, RECV_ENABLE -> wr.enableQp(here.qp);
            default -> {}
        }
        return wr;
    }
}
