/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.AttrArray;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.OutputAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpOpenAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqInitAttrMask;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdInitAttrMask;
import java.util.function.Consumer;

/** The verbs of level 2, and attributes that a program hands over as it likes. */
class XrcOps extends WitnessOps {
    private final Consumer<Object> filler = this::fill;

    XrcOps(Context context) {
        this(context, new XrcLoop());
    }

    XrcOps(Context context, Loop loop) {
        super(context, loop);
    }

    /** A send that names a shared receive queue goes there. */
    static class XrcLoop extends Loop {
        @Override
        int target(SendWorkRequest wr, End end) {
            return wr.remoteSrqn() != 0 ? wr.remoteSrqn() : super.target(wr, end);
        }
    }

    @Override
    public <T> T vendor(Class<T> type) {
        return type == Consumer.class ? type.cast(filler) : super.vendor(type);
    }

    /** Fills an array or an attribute by the level of the witness: five words of each element, 70 fields. */
    private void fill(Object given) {
        if (given instanceof AttrArray array) {
            for (int element = 0; element < 4; element++) {
                for (int word = 0; word < 5; word++) {
                    array.offer(element, word, 100 * (element + 1) + word);
                }
            }
        } else if (given instanceof OutputAttr attr) {
            for (int index = 0; index < 70; index++) {
                attr.offer(index, "field " + index);
            }
        }
    }

    static void mask(String verb, InputAttr attr, long known) {
        if (!attr.hasOnly(known, 0)) {
            throw cannot(
                    verb, "bits 0x" + Long.toHexString(attr.compMask()) + ", 0x" + Long.toHexString(attr.compMask2()));
        }
    }

    XrcDomain openXrcd(XrcdInitAttr attr) {
        see("open_xrcd", attr);
        mask("open_xrcd", attr, XrcdInitAttrMask.FILE | XrcdInitAttrMask.OFLAGS);
        return new XrcDomain(context) {};
    }

    void closeXrcd(XrcDomain xrcd) {}

    SharedReceiveQueue createSrqEx(SrqInitAttrEx attr) {
        see("create_srq_ex", attr);
        mask(
                "create_srq_ex",
                attr,
                SrqInitAttrMask.TYPE | SrqInitAttrMask.PD | SrqInitAttrMask.XRCD | SrqInitAttrMask.CQ);
        attr.attr(given(attr.attr()));
        return loop.keepNamed(new XrcSrq(loop, context, attr), attr.cq());
    }

    int getSrqNum(SharedReceiveQueue srq) {
        return loop.number(srq);
    }

    @Override
    void type(String verb, int type) {
        if (type != QpType.XRC_SEND && type != QpType.XRC_RECV) {
            super.type(verb, type);
        }
    }

    QueuePair createQpEx(QpInitAttrEx attr) {
        see("create_qp_ex", attr);
        mask("create_qp_ex", attr, knownOfQueuePairs());
        type("create_qp_ex", attr.qpType());
        attr.cap(given(attr.cap()));
        return loop.keep(new XrcQp(loop, context, attr), attr.cap(), attr.sqSigAll());
    }

    long knownOfQueuePairs() {
        return QpInitAttrMask.PD | QpInitAttrMask.XRCD | QpInitAttrMask.SEND_OPS_FLAGS | QpInitAttrMask.VENDOR;
    }

    QueuePair openQp(QpOpenAttr attr) {
        see("open_qp", attr);
        mask(
                "open_qp",
                attr,
                QpOpenAttrMask.NUM | QpOpenAttrMask.XRCD | QpOpenAttrMask.CONTEXT | QpOpenAttrMask.TYPE);
        return new XrcQp(loop, context, attr);
    }

    private static final class XrcQp extends QueuePair {
        private final Loop loop;

        XrcQp(Loop loop, Context context, QpInitAttrEx attr) {
            super(context, attr, loop.nextNumber());
            this.loop = loop;
        }

        XrcQp(Loop loop, Context context, QpOpenAttr attr) {
            super(context, attr);
            this.loop = loop;
        }

        @Override
        public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
            return loop.post(this, wr, badWr);
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return loop.receive(this, wr);
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            return Errno.EOPNOTSUPP;
        }
    }

    private static final class XrcSrq extends SharedReceiveQueue {
        private final Loop loop;

        XrcSrq(Loop loop, Context context, SrqInitAttrEx attr) {
            super(context, attr);
            this.loop = loop;
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return loop.receive(this, wr);
        }
    }
}
