/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.app;

import com.example.loopdv.LoopOpenAttr;
import com.example.loopdv.LoopVerbs;
import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;

/** A program that knows a device: it opens the device with the device's own attributes and calls its own verbs. */
public final class LoopApp {
    private static final int BYTES = 4000;

    private LoopApp() {}

    /** Writes, and prints how many bytes the device has sent. */
    public static void main(String... args) {
        System.out.println(run() + " bytes");
    }

    static long run() {
        Device device = Verbs.device("loop0");
        OpenAttr attr = new OpenAttr().vendor(new LoopOpenAttr().maxQpWr(16));
        try (Context context = Verbs.open(device, VerbsLevel.CURRENT, attr);
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                MemoryRegion from = pd.regMr(ByteBuffer.allocateDirect(BYTES), 0);
                MemoryRegion to = pd.regMr(ByteBuffer.allocateDirect(BYTES), RIGHTS);
                QueuePair qp = pd.createQp(reliable(cq))) {
            LoopVerbs loop = context.vendor(LoopVerbs.class);
            connectToItself(context, qp);
            write(qp, from, to);
            return loop.bytesSent(qp);
        }
    }

    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    private static QpInitAttr reliable(CompletionQueue cq) {
        QpInitAttr attr = new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq);
        attr.cap().maxSendWr(16).maxSendSge(1);
        return attr;
    }

    private static void connectToItself(Context context, QueuePair qp) {
        AhAttr path = new AhAttr().isGlobal(true).portNum(1);
        path.grh().dgid(context.queryGid(1, 0));
        qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1).pkeyIndex(0).qpAccessFlags(AccessFlags.REMOTE_WRITE));
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(path)
                .destQpNum(qp.qpNum())
                .rqPsn(0)
                .pathMtu(Mtu.MTU_4096)
                .maxDestRdAtomic(0)
                .minRnrTimer(12));
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(0)
                .timeout(14)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(0));
    }

    private static void write(QueuePair qp, MemoryRegion from, MemoryRegion to) {
        qp.postSend(new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(from))
                .remoteAddr(to.addr())
                .rkey(to.rkey()));
        WorkCompletion[] wc = {new WorkCompletion()};
        while (qp.sendCq().poll(1, wc) == 0) {
            Thread.onSpinWait();
        }
        if (wc[0].status() != WcStatus.SUCCESS) {
            throw new IllegalStateException(wc[0].toString());
        }
    }
}
