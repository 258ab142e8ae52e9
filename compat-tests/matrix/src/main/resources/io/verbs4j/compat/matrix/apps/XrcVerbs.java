/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.WrOpcode;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdInitAttrMask;
import io.verbs4j.XrcdOpenFlags;
import java.util.function.Supplier;

/** The verbs of level 2. Each is called whatever became of those before it: an older party must say so for each. */
final class XrcVerbs {
    /** A bit that no level has given a meaning, in the range that the library must know. */
    private static final long UNKNOWN = 1L << 40;

    /** The same in the range of the device alone: the library passes it on. */
    private static final long OF_THE_DEVICE = 1L << 20;

    private final Context context;
    private final BaseVerbs base;

    XrcVerbs(Context context, BaseVerbs base) {
        this.context = context;
        this.base = base;
    }

    void run() {
        pairOfTheNewVerb();
        basicSrq();
        xrc();
        masks();
    }

    /** What the old verb can serve for: it must, where the new one is not there. */
    private void pairOfTheNewVerb() {
        Supplier<QueuePair> create = () -> {
            QpInitAttrEx attr = reliable();
            QueuePair qp = context.createQpEx(attr);
            base.atLeastAsked(attr.cap());
            return qp;
        };
        QueuePair[] pair = new QueuePair[2];
        Results.step("new", "create_qp_ex", () -> {
            pair[0] = create.get();
            pair[1] = create.get();
            return way(ContextSlot.CREATE_QP_EX);
        });
        base.transfer("new", "_ex", pair[0], pair[1]);
        close(pair);
    }

    private void basicSrq() {
        Results.step("new", "create_srq_ex", () -> {
            SrqInitAttrEx attr = new SrqInitAttrEx().srqType(SrqType.BASIC).pd(Results.need(base.pd, "alloc_pd"));
            attr.attr(new SrqAttr().maxWr(4).maxSge(1));
            context.createSrqEx(attr).close();
            if (attr.attr().maxWr() < 4 || attr.attr().maxSge() < 1) {
                throw new IllegalStateException("got less than requested: " + attr.attr().maxWr());
            }
            return way(ContextSlot.CREATE_SRQ_EX);
        });
    }

    private QpInitAttrEx reliable() {
        QpInitAttrEx attr = new QpInitAttrEx().qpType(QpType.RC).pd(Results.need(base.pd, "alloc_pd"));
        return attr.sendCq(base.cq).recvCq(base.cq).cap(base.capacities());
    }

    private String way(int slot) {
        return context.queryContext().hasVerb(slot) ? "extended" : "fall-back";
    }

    private void xrc() {
        CompletionQueue received =
                Results.step("old", "create_cq_xrc", () -> Results.need(context, "a device").createCq(4));
        XrcDomain xrcd = Results.step("new", "open_xrcd", () -> context.openXrcd(
                new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT)));
        SharedReceiveQueue srq = Results.step("new", "create_srq_ex_xrc", () -> {
            domain(xrcd, ContextSlot.CREATE_SRQ_EX);
            SrqInitAttrEx attr = new SrqInitAttrEx().srqType(SrqType.XRC).pd(Results.need(base.pd, "alloc_pd"));
            attr.xrcd(xrcd).cq(received).attr(new SrqAttr().maxWr(4).maxSge(1));
            return context.createSrqEx(attr);
        });
        number(srq);
        QueuePair sender = Results.step("new", "create_qp_ex_xrc_send", () -> context.createQpEx(
                new QpInitAttrEx()
                        .qpType(QpType.XRC_SEND)
                        .pd(Results.need(base.pd, "alloc_pd"))
                        .sendCq(base.cq)
                        .cap(base.capacities().maxRecvWr(0).maxRecvSge(0))));
        QueuePair receiver = Results.step("new", "create_qp_ex_xrc_recv", () -> {
            domain(xrcd, ContextSlot.CREATE_QP_EX);
            QpInitAttrEx attr = new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(xrcd);
            return context.createQpEx(attr);
        });
        Results.step("new", "open_qp", () -> {
            domain(xrcd, ContextSlot.OPEN_QP);
            int qpNum = receiver == null ? 1 : receiver.qpNum();
            context.openQp(new QpOpenAttr().qpNum(qpNum).xrcd(xrcd).qpType(QpType.XRC_RECV))
                    .close();
            return "";
        });
        Results.step("new", "xrc_transfer", () -> transfer(sender, receiver, srq, received));
        close(sender, receiver, srq, received);
        Results.step("new", "close_xrcd", () -> {
            Results.need(xrcd, "open_xrcd").close();
            return "";
        });
    }

    /** Where there is no domain the verb is called without one: an older party refuses it before it looks. */
    private void domain(XrcDomain xrcd, int slot) {
        if (xrcd == null && context.queryContext().hasVerb(slot)) {
            Results.need(xrcd, "open_xrcd");
        }
    }

    /** Without a queue of type XRC one of the old verb is asked, for the same reason. */
    private void number(SharedReceiveQueue srq) {
        Results.step("new", "get_srq_num", () -> {
            if (srq != null) {
                return String.valueOf(srq.srqNum());
            }
            if (context.queryContext().hasVerb(ContextSlot.GET_SRQ_NUM)) {
                Results.need(srq, "create_srq_ex");
            }
            try (SharedReceiveQueue basic = Results.need(basic(), "create_srq")) {
                return String.valueOf(basic.srqNum());
            }
        });
    }

    /** A queue of level 1; null where the device has none. */
    private SharedReceiveQueue basic() {
        try {
            return Results.need(base.pd, "alloc_pd")
                    .createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(4).maxSge(1)));
        } catch (VerbsException e) {
            return null;
        }
    }

    private String transfer(
            QueuePair sender, QueuePair receiver, SharedReceiveQueue srq, CompletionQueue received) {
        Results.need(srq, "create_srq_ex");
        Results.need(sender, "create_qp_ex");
        base.toReceive(Results.need(receiver, "create_qp_ex"), sender.qpNum());
        receiver.modify(new QpAttr().qpState(QpState.RTS).sqPsn(0).timeout(14));
        base.init(sender);
        sender.modify(base.path(receiver.qpNum()));
        QpAttr ready = new QpAttr().qpState(QpState.RTS).sqPsn(0).timeout(14);
        sender.modify(ready.retryCnt(7).rnrRetry(7).maxRdAtomic(1));
        base.prepare(3);
        BaseVerbs.post(
                srq.postRecv(new RecvWorkRequest().sgList(ScatterGatherElement.of(base.target))), "post_srq_recv");
        BaseVerbs.post(sender.postSend(base.request(WrOpcode.SEND).remoteSrqn(srq.srqNum())), "post_send");
        BaseVerbs.await(base.cq, 1);
        BaseVerbs.await(received, 1);
        return base.verify(3);
    }

    /** Bits that nobody knows must be refused by whoever has the verb. */
    private void masks() {
        Results.step("mask", "open_xrcd", () -> {
            XrcdInitAttr attr = new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT);
            attr.masks(XrcdInitAttrMask.FILE | XrcdInitAttrMask.OFLAGS | UNKNOWN, 0);
            context.openXrcd(attr).close();
            return "accepted";
        });
        Results.step("mask", "create_qp_ex", () -> {
            QpInitAttrEx attr = reliable();
            attr.masks(QpInitAttrMask.PD, UNKNOWN); // in the chained second mask
            context.createQpEx(attr).close();
            return "accepted";
        });
        Results.step("mask", "create_qp_ex_device", () -> {
            QpInitAttrEx attr = reliable();
            attr.masks(QpInitAttrMask.PD | OF_THE_DEVICE, 0);
            context.createQpEx(attr).close();
            return "accepted";
        });
    }

    private static void close(AutoCloseable... handles) {
        for (AutoCloseable handle : handles) {
            if (handle != null) {
                Results.step("old", "destroy", () -> {
                    Results.close(handle);
                    return "";
                });
            }
        }
    }
}
