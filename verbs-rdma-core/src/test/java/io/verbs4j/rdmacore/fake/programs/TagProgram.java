/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionReader;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Ece;
import io.verbs4j.Errno;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WorkCompletion;
import io.verbs4j.core.Verbs;

/** Matches tags on the first device, and sets connection options. */
public final class TagProgram {
    private static final long WC_FLAGS = WcExFlags.STANDARD | WcExFlags.TM_INFO;

    private TagProgram() {}

    public static void main(String[] args) {
        try (Context context = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT);
                ProtectionDomain pd = context.allocPd()) {
            DeviceAttrEx can = context.queryDeviceEx();
            System.out.println("can " + can.tmFlags() + " " + can.tmMaxNumTags() + " " + can.tmMaxOps() + " "
                    + can.tmMaxSge() + " " + can.tmMaxRndvHdrSize());
            failing("a queue without the header", () -> {
                try (CompletionQueue plain =
                        context.createCqEx(new CqInitAttrEx().cqe(16).wcFlags(WcExFlags.STANDARD))) {
                    context.createSrqEx(attr(pd, plain)).close();
                }
            });
            failing("what is told", () -> tags(context, pd));
            failing("options", () -> options(context, pd));
        }
    }

    private static SrqInitAttrEx attr(ProtectionDomain pd, CompletionQueue cq) {
        return new SrqInitAttrEx()
                .srqType(SrqType.TM)
                .attr(new SrqAttr().maxWr(4).maxSge(1))
                .pd(pd)
                .cq(cq)
                .tmCap(5, 3);
    }

    private static void tags(Context context, ProtectionDomain pd) {
        CompletionQueue cq = context.createCqEx(new CqInitAttrEx().cqe(16).wcFlags(WC_FLAGS));
        SharedReceiveQueue srq = context.createSrqEx(attr(pd, cq));
        OpsWorkRequest second = new OpsWorkRequest()
                .wrId(-2)
                .opcode(OpsWrOpcode.TAG_SYNC)
                .flags(OpsFlags.SIGNALED | OpsFlags.TM_SYNC)
                .unexpectedCnt(-3);
        ScatterGatherElement element =
                new ScatterGatherElement().addr(0x1000).length(200).lkey(0xabc);
        OpsWorkRequest add = new OpsWorkRequest()
                .wrId(99)
                .opcode(OpsWrOpcode.TAG_ADD)
                .flags(OpsFlags.SIGNALED)
                .recvWrId(7)
                .tag(0x8000000000000005L)
                .mask(-1)
                .sgList(element)
                .handle(77);
        posted(srq, add.next(second));
        posted(srq, add.next(null).recvWrId(10));
        OpsWorkRequest delete = new OpsWorkRequest().opcode(OpsWrOpcode.TAG_DEL);
        posted(srq, add.recvWrId(11));
        System.out.println("handle " + add.handle());
        posted(srq, delete.handle(2));
        posted(srq, delete); // again
        posted(srq, delete.handle(6));
        posted(srq, delete.handle(-1));
        posted(srq, add.sgList(element, element));
        posted(srq, add.sgList((ScatterGatherElement) null));
        posted(srq, add.sgList(element).tag(404));
        posted(srq, add.tag(1).flags(4));
        posted(srq, new OpsWorkRequest().opcode(3));
        posted(srq, second.next(second));
        posted(srq, null);
        read(cq);
        posted(srq, delete.handle(0)); // consumed
        posted(srq, delete.handle(1)); // consumed as well, with an incomplete message
        WorkCompletion[] wc = new WorkCompletion[8];
        for (int i = 0; i < wc.length; i++) {
            wc[i] = new WorkCompletion();
        }
        print(wc, cq.poll(8, wc)); // the driver has reached its end: none
        print(wc, cq.poll(8, wc, WorkCompletion.SIZE));
        print(wc, cq.poll(8, wc));
        print(wc, cq.poll(8, wc));
        srq.close();
        posted(srq, add.flags(0));
        cq.close();
    }

    private static void read(CompletionQueue cq) {
        WcTmInfo info = new WcTmInfo();
        try (CompletionReader reader = cq.reader().start()) {
            while (reader.next()) {
                cq.readTmInfo(info);
                System.out.println("read " + cq.status() + " " + WcOpcode.toString(cq.readOpcode()) + " "
                        + WcFlags.toString(cq.readWcFlags()) + " " + cq.wrId() + " " + cq.readByteLen() + ", " + info);
            }
        }
    }

    private static void print(WorkCompletion[] wc, int count) {
        System.out.println("polled " + count);
        for (int i = 0; i < count; i++) {
            System.out.println("wc " + wc[i].status() + " " + wc[i].wrId() + " " + Long.toHexString(wc[i].tmTag()) + " "
                    + wc[i].tmPriv() + " " + wc[i].compMask());
        }
    }

    private static void posted(SharedReceiveQueue srq, OpsWorkRequest wr) {
        OpsWorkRequest[] bad = new OpsWorkRequest[1];
        int errno = srq.postSrqOps(wr, bad);
        String name = errno == 0 ? "0" : Errno.toString(errno).split(":", 2)[0];
        System.out.println("posted " + name + (bad[0] == null ? "" : " bad " + bad[0].wrId()));
    }

    private static void options(Context context, ProtectionDomain pd) {
        System.out.println("has " + context.queryContext().hasVerb(ContextSlot.SET_ECE) + " "
                + context.queryContext().hasVerb(ContextSlot.QUERY_ECE));
        try (CompletionQueue cq = context.createCq(16);
                QueuePair qp = pd.createQp(new QpInitAttr()
                        .qpType(QpType.RC)
                        .sendCq(cq)
                        .recvCq(cq)
                        .cap(new QpCap().maxSendWr(1).maxRecvWr(1).maxSendSge(1).maxRecvSge(1)))) {
            Ece ece = qp.queryEce();
            System.out.println("offered " + ece);
            ece.options(0xff);
            qp.setEce(ece);
            System.out.println("accepted " + ece + ", told " + qp.queryEce());
            failing("another vendor", () -> qp.setEce(new Ece().vendorId(1)));
            Ece marked = new Ece().vendorId(0x15b3);
            marked.masks(1, 0);
            failing("a bit", () -> qp.setEce(marked));
        }
    }

    private static void failing(String what, Runnable verb) {
        try {
            verb.run();
            System.out.println(what + ": nothing failed");
        } catch (VerbsException e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }
}
