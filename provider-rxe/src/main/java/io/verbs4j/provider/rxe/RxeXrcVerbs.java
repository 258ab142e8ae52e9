/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpOpenAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqInitAttrMask;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdInitAttrMask;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.queue.EventQueue;
import io.verbs4j.provider.rxe.queue.RxeSharedReceiveQueue;
import io.verbs4j.provider.rxe.xrc.RxeXrcDomain;
import io.verbs4j.provider.rxe.xrc.RxeXrcQp;
import io.verbs4j.provider.rxe.xrc.RxeXrcQueuePair;
import io.verbs4j.slot.CloseXrcd;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.GetSrqNum;
import io.verbs4j.slot.OpenQp;
import io.verbs4j.slot.OpenXrcd;

/** The level 2 verbs of an open embedded device. The library has already checked the combination of attributes. */
final class RxeXrcVerbs implements CreateSrqEx, GetSrqNum, CreateQpEx, OpenQp {
    private static final long XRCD_BITS = XrcdInitAttrMask.FILE | XrcdInitAttrMask.OFLAGS;
    private static final long SRQ_BITS =
            SrqInitAttrMask.TYPE | SrqInitAttrMask.PD | SrqInitAttrMask.XRCD | SrqInitAttrMask.CQ | SrqInitAttrMask.TM;
    static final long QP_BITS =
            QpInitAttrMask.PD | QpInitAttrMask.XRCD | QpInitAttrMask.CREATE_FLAGS | QpInitAttrMask.SEND_OPS_FLAGS;
    private static final long OPEN_BITS =
            QpOpenAttrMask.NUM | QpOpenAttrMask.XRCD | QpOpenAttrMask.CONTEXT | QpOpenAttrMask.TYPE;

    private final RxeContext base;
    private final Context context;
    private final Port port;
    private final EventQueue<AsyncEvent> events;

    RxeXrcVerbs(RxeContext base, Context context, Port port, EventQueue<AsyncEvent> events) {
        this.base = base;
        this.context = context;
        this.port = port;
        this.events = events;
    }

    void fill(ContextTable table) {
        // These two fit no other slot, which exposes a header that numbers its slots differently.
        table.fillProvider(ContextSlot.OPEN_XRCD, new Open());
        table.fillProvider(ContextSlot.CLOSE_XRCD, new Close());
        table.fillProvider(ContextSlot.CREATE_SRQ_EX, this);
        table.fillProvider(ContextSlot.GET_SRQ_NUM, this);
        table.fillProvider(ContextSlot.CREATE_QP_EX, this);
        table.fillProvider(ContextSlot.OPEN_QP, this);
    }

    @Override
    public int getSrqNum(SharedReceiveQueue srq) {
        if (srq.srqType() == SrqType.TM) {
            throw new VerbsException(
                    Errno.EINVAL, "get_srq_num", "a queue of type TM has no number; senders address its queue pairs");
        }
        return ((RxeSharedReceiveQueue) srq).srq.number();
    }

    private final class Open implements OpenXrcd {
        @Override
        public XrcDomain openXrcd(XrcdInitAttr attr) {
            RxeLimits.refuseUnknown("open_xrcd", attr, XRCD_BITS);
            RxeLimits.checkXrcdFlags(attr.oflags());
            return port.xrcDomains().open(context, attr);
        }
    }

    private final class Close implements CloseXrcd {
        @Override
        public void closeXrcd(XrcDomain xrcd) {
            port.xrcDomains().close(xrcd);
        }
    }

    @Override
    public SharedReceiveQueue createSrqEx(SrqInitAttrEx attr) {
        String verb = "create_srq_ex";
        RxeLimits.refuseUnknown(verb, attr, SRQ_BITS);
        if (attr.srqType() == SrqType.TM) {
            RxeLimits.checkTagMatching(verb, attr);
        } else if (attr.srqType() != SrqType.BASIC && attr.srqType() != SrqType.XRC) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the device supports shared receive queues of type BASIC, XRC and TM, not "
                            + SrqType.toString(attr.srqType()));
        }
        RxeSharedReceiveQueue handle = base.newSrq(verb, attr);
        if (attr.srqType() == SrqType.XRC) {
            ((RxeXrcDomain) attr.xrcd()).domain.add(handle.srq);
        }
        return handle;
    }

    @Override
    public QueuePair createQpEx(QpInitAttrEx attr) {
        String verb = "create_qp_ex";
        RxeLimits.refuseUnknown(verb, attr, QP_BITS);
        if (attr.qpType() != QpType.XRC_RECV) {
            return base.newQp(verb, attr);
        }
        RxeLimits.checkSendOps(verb, attr);
        RxeLimits.checkCreateFlags(verb, attr);
        // It has no queues, whatever was requested.
        attr.cap().maxSendWr(0).maxRecvWr(0).maxSendSge(0).maxRecvSge(0).maxInlineData(0);
        RxeXrcQp target = newTarget(verb, attr);
        target.control(new RxeXrcQp.Control() {
            @Override
            public void modify(QpAttr wanted, int mask) {
                base.modify(target, wanted, mask);
            }

            @Override
            public void end() {
                port.remove(target);
                target.destroy();
            }
        });
        return new RxeXrcQueuePair(context, attr, target, events);
    }

    /** Creates a queue pair with an unused number and registers it with the port. */
    private RxeXrcQp newTarget(String verb, QpInitAttrEx attr) {
        try {
            RxeXrcQp target;
            do {
                target = new RxeXrcQp(attr, port.newQpNum(), port);
            } while (!port.add(target));
            return target;
        } catch (OutOfMemoryError e) {
            throw RxeContext.noMemory(verb, e);
        }
    }

    @Override
    public QueuePair openQp(QpOpenAttr attr) {
        RxeLimits.refuseUnknown("open_qp", attr, OPEN_BITS);
        if (attr.qpType() != QpType.XRC_RECV) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "open_qp",
                    "only queue pairs of type XRC_RECV can be opened, not " + QpType.toString(attr.qpType()));
        }
        return new RxeXrcQueuePair(context, attr, events);
    }
}
