/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.strategy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;

/**
 * For devices whose reliable connections have SEND, WRITE, READ and immediates: PUT is WRITE, GET is READ, a receiver
 * READs long messages, and the last WRITE tells a short notification.
 */
public final class RcStrategy implements Strategy {
    private static final long NEEDED = QpCreateSendOps.SEND
            | QpCreateSendOps.RDMA_WRITE
            | QpCreateSendOps.RDMA_WRITE_WITH_IMM
            | QpCreateSendOps.RDMA_READ;

    @Override
    public String missing(Context context) {
        DeviceAttrEx attr = context.queryDeviceEx();
        DeviceAttr base = attr.origAttr();
        return missing(attr.sendOpsRc(), Math.min(base.maxQpRdAtom(), base.maxQpInitRdAtom()));
    }

    static String missing(long operations, int reads) {
        long lacks = NEEDED & ~operations;
        if (lacks != 0) {
            return QpCreateSendOps.toString(lacks);
        }
        return reads < 1 ? "reads (its depth of reads is 0)" : null;
    }

    @Override
    public QpInitAttr attr(CompletionQueue cq, int sends, int receives) {
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap()
                        .maxSendWr(sends)
                        .maxSendSge(2)
                        .maxRecvWr(receives)
                        .maxRecvSge(1));
    }

    @Override
    public Posts posts(QueuePair qp) {
        return new RcPosts(qp);
    }
}
