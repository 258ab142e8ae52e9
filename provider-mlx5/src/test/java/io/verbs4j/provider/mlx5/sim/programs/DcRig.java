/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Mlx5QpInitAttr;
import java.nio.ByteBuffer;

/** A DC target and initiator on one device, with memory that both may use. */
final class DcRig implements AutoCloseable {
    static final long KEY = 0x1122334455667788L;
    static final int TARGET_AT = 1 << 16;

    final Context context;
    final Mlx5Dv dv;
    final ByteBuffer memory;
    final ProtectionDomain pd;
    final MemoryRegion mr;
    final CompletionQueue cq;
    final CompletionQueue targetCq;
    final SharedReceiveQueue srq;
    final AddressHandle ah;
    final QueuePair target;
    final QueuePair initiator;

    DcRig(Context context) {
        this(context, ByteBuffer.allocateDirect(2 * TARGET_AT));
    }

    DcRig(Context context, ByteBuffer memory) {
        this.context = context;
        this.memory = memory;
        dv = context.vendor(Mlx5Dv.class);
        pd = context.allocPd();
        mr = pd.regMr(
                memory,
                AccessFlags.LOCAL_WRITE
                        | AccessFlags.REMOTE_WRITE
                        | AccessFlags.REMOTE_READ
                        | AccessFlags.REMOTE_ATOMIC);
        cq = context.createCq(63);
        targetCq = context.createCq(63);
        srq = pd.createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(64).maxSge(1)));
        ah = pd.createAh(Mlx5Rig.path(context));
        target = dv.createQp(target(), Mlx5QpInitAttr.target(KEY));
        initiator = dv.createQp(initiator(), Mlx5QpInitAttr.initiator());
    }

    QpInitAttrEx target() {
        return new QpInitAttrEx()
                .qpType(QpType.DRIVER)
                .pd(pd)
                .sendCq(targetCq)
                .recvCq(targetCq)
                .srq(srq);
    }

    QpInitAttrEx initiator() {
        return new QpInitAttrEx()
                .qpType(QpType.DRIVER)
                .pd(pd)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(16).maxSendSge(2).maxInlineData(64));
    }

    static QpAttr targetInit() {
        return new QpAttr()
                .qpState(QpState.INIT)
                .portNum(1)
                .pkeyIndex(0)
                .qpAccessFlags(AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC);
    }

    QpAttr targetRtr() {
        return new QpAttr()
                .qpState(QpState.RTR)
                .pathMtu(Mtu.MTU_1024)
                .minRnrTimer(1)
                .ahAttr(Mlx5Rig.path(context));
    }

    void ready() {
        target.modify(targetInit());
        target.modify(targetRtr());
        ready(initiator);
    }

    void ready(QueuePair qp) {
        qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1).pkeyIndex(0));
        qp.modify(new QpAttr().qpState(QpState.RTR).pathMtu(Mtu.MTU_1024));
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(7)
                .timeout(14)
                .retryCnt(2)
                .rnrRetry(2)
                .maxRdAtomic(1));
    }

    @Override
    public void close() {
        initiator.close();
        target.close();
        ah.close();
        srq.close();
        cq.close();
        targetCq.close();
        mr.close();
        pd.close();
    }
}
