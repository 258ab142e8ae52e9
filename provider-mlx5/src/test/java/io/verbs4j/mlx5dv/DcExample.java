/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
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
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SharedReceiveQueue;

/** A DC target and initiator, as shown in docs/guides/mlx5dv.md. */
public final class DcExample {
    private DcExample() {}

    /** Creates a target that is ready to receive, and prints its number. */
    public static QueuePair target(
            Context context,
            ProtectionDomain pd,
            CompletionQueue cq,
            SharedReceiveQueue srq,
            AhAttr path,
            long accessKey) {
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);

        QueuePair target = dv.createQp(
                new QpInitAttrEx()
                        .qpType(QpType.DRIVER)
                        .pd(pd)
                        .sendCq(cq)
                        .recvCq(cq)
                        .srq(srq),
                Mlx5QpInitAttr.target(accessKey));
        target.modify(new QpAttr()
                .qpState(QpState.INIT)
                .portNum(1)
                .pkeyIndex(0)
                .qpAccessFlags(AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ));
        target.modify(new QpAttr()
                .qpState(QpState.RTR)
                .pathMtu(Mtu.MTU_4096)
                .minRnrTimer(12)
                .ahAttr(path));
        int number = target.qpNum(); // send it to the initiators, with the access key
        System.out.println("target " + number);
        return target;
    }

    /** Creates an initiator that is ready to send. */
    public static QueuePair initiator(Context context, ProtectionDomain pd, CompletionQueue cq) {
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);
        QueuePair initiator = dv.createQp(
                new QpInitAttrEx()
                        .qpType(QpType.DRIVER)
                        .pd(pd)
                        .sendCq(cq)
                        .recvCq(cq)
                        .cap(new QpCap().maxSendWr(64).maxSendSge(1)),
                Mlx5QpInitAttr.initiator());
        initiator.modify(new QpAttr().qpState(QpState.INIT).portNum(1).pkeyIndex(0));
        initiator.modify(new QpAttr().qpState(QpState.RTR).pathMtu(Mtu.MTU_4096));
        initiator.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(0)
                .timeout(14)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
        return initiator;
    }

    /** Sends the beginning of a memory region to a target; returns 0 or an errno. Keep the builder. */
    public static int send(
            SendBuilder builder, long wrId, AddressHandle ah, int number, long accessKey, MemoryRegion mr, int length) {
        builder.start();
        builder.send(wrId, SendFlags.SIGNALED);
        Mlx5Dv.dcAddr(builder, ah, number, accessKey) // the target and its key
                .sge(mr.lkey(), mr.addr(), length);
        int error = builder.complete();
        return error;
    }
}
