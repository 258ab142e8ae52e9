/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
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

/**
 * One RDMA write between two queue pairs of the embedded device, using no more of Java than that needs, so that every
 * loaded class is loaded for it.
 */
public final class FirstWriteProgram {
    private static final byte CONTENT = 42;

    /** Loaded when the first message has arrived. */
    public static final class Written {
        static String words(byte content) {
            return "written " + content;
        }
    }

    private FirstWriteProgram() {}

    public static void main(String[] args) {
        ByteBuffer source = ByteBuffer.allocateDirect(1).put(0, CONTENT);
        ByteBuffer target = ByteBuffer.allocateDirect(1);
        try (Context context = Verbs.open(embedded(), VerbsLevel.CURRENT);
                ProtectionDomain pd = context.allocPd();
                MemoryRegion from = pd.regMr(source, AccessFlags.LOCAL_WRITE);
                MemoryRegion to = pd.regMr(target, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
                CompletionQueue cq = context.createCq(1);
                QueuePair one = queuePair(pd, cq);
                QueuePair other = queuePair(pd, cq)) {
            connect(context, one, other);
            connect(context, other, one);
            int refused = one.postSend(new SendWorkRequest()
                    .opcode(WrOpcode.RDMA_WRITE)
                    .sendFlags(SendFlags.SIGNALED)
                    .sgList(ScatterGatherElement.of(from))
                    .remoteAddr(to.addr())
                    .rkey(to.rkey()));
            if (refused != 0) {
                throw new IllegalStateException("refused: " + refused);
            }
            await(cq);
            System.out.println(Written.words(target.get(0)));
        }
    }

    private static Device embedded() {
        for (Device device : Verbs.devices()) {
            if (device.name().equals("rxe_emb0")) {
                return device;
            }
        }
        throw new IllegalStateException(Verbs.report().toString());
    }

    private static QueuePair queuePair(ProtectionDomain pd, CompletionQueue cq) {
        QueuePair qp = pd.createQp(new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(1).maxRecvWr(1).maxSendSge(1).maxRecvSge(1)));
        qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(AccessFlags.REMOTE_WRITE));
        return qp;
    }

    private static void connect(Context context, QueuePair qp, QueuePair to) {
        AhAttr path = new AhAttr().portNum(1).isGlobal(true);
        path.grh().dgid(context.queryGid(1, 0)).sgidIndex(0).hopLimit(1);
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(path)
                .pathMtu(Mtu.MTU_1024)
                .destQpNum(to.qpNum())
                .rqPsn(0)
                .maxDestRdAtomic(1)
                .minRnrTimer(1));
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(0)
                .timeout(18)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
    }

    private static void await(CompletionQueue cq) {
        WorkCompletion[] completion = {new WorkCompletion()};
        while (cq.poll(1, completion) == 0) {
            Thread.onSpinWait();
        }
        if (completion[0].status() != WcStatus.SUCCESS) {
            throw new IllegalStateException(WcStatus.toString(completion[0].status()));
        }
    }
}
