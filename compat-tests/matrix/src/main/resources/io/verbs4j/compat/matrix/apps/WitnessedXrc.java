/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.AttrArray;
import io.verbs4j.Context;
import io.verbs4j.ContextAttr;
import io.verbs4j.ContextSlot;
import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.OutputAttr;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Every attribute of level 2, there and back. */
class WitnessedXrc extends Witnessed {
    private static final String WITNESS = "the witness does not know bits 0x";
    private static final String LIBRARY = "the mask has bits that this library does not know";
    private static final int SLOTS = 6;

    WitnessedXrc(Context context) {
        super(context);
    }

    @Override
    void steps() {
        super.steps();
        // Whoever makes them: what was given comes back.
        step("create_qp_ex_given", this::createQpExGiven);
        step("create_srq_ex_given", this::createSrqExGiven);
        step("query_context", this::slots);
        if (asked(Consumer.class) != null) {
            step("arrays", this::arrays);
            step("fields", this::fields);
        }
        if (context.queryContext().hasVerb(ContextSlot.CREATE_QP_EX)) {
            step("create_qp_ex", this::createQpEx);
            step("create_srq_ex", this::createSrqEx);
            step("xrc", this::xrc);
            step("masks", this::masks);
        }
    }

    private QpInitAttrEx base() {
        QpInitAttrEx attr = new QpInitAttrEx().qpType(QpType.RC).pd(pd).sendCq(sends).recvCq(receives);
        return attr.cap(asked());
    }

    /** By whichever verb: what level 1 has words for arrives, and what was given comes back. */
    private void createQpExGiven() {
        SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr().attr(askedSrq()));
        QpInitAttrEx attr = base().srq(srq).userContext("of the pair").sqSigAll(true).vendor(VENDOR);
        QpInitAttr plain = new QpInitAttr().qpType(QpType.RC).sendCq(sends).recvCq(receives).cap(asked());
        plain.srq(srq).userContext("of the pair").sqSigAll(true).vendor(VENDOR);
        arrives(plain, () -> context.createQpEx(attr)).close();
        same(given(), attr.cap());
        srq.close();
    }

    private void createSrqExGiven() {
        SrqInitAttrEx attr = new SrqInitAttrEx().srqType(SrqType.BASIC).pd(pd).attr(askedSrq());
        SrqInitAttr plain = new SrqInitAttr().userContext("of the queue").attr(askedSrq());
        arrives(plain, () -> context.createSrqEx(attr.userContext("of the queue"))).close();
        givenSrq(attr.attr());
    }

    private void createQpEx() {
        SrqInitAttrEx queue = new SrqInitAttrEx().srqType(SrqType.BASIC).pd(pd).attr(askedSrq());
        SharedReceiveQueue srq = context.createSrqEx(queue);
        QpInitAttrEx attr = base().userContext("of the pair").srq(srq).sqSigAll(true).vendor(VENDOR);
        attr.sendOpsFlags(QpCreateSendOps.SEND);
        QueuePair qp = arrives(attr, () -> context.createQpEx(attr));
        same(given(), attr.cap());
        equal(List.of(pd, sends, receives, srq), List.of(qp.pd(), qp.sendCq(), qp.recvCq(), qp.srq()));
        equal(List.of("of the pair", QpType.RC), List.of(qp.userContext(), qp.qpType()));
        modify(qp);
        qp.close();
        srq.close();
    }

    private void createSrqEx() {
        SrqInitAttrEx attr = new SrqInitAttrEx().srqType(SrqType.BASIC).pd(pd).userContext("of the queue");
        attr.attr(askedSrq());
        SharedReceiveQueue srq = arrives(attr, () -> context.createSrqEx(attr));
        givenSrq(attr.attr());
        equal(List.of(pd, "of the queue", SrqType.BASIC), List.of(srq.pd(), srq.userContext(), srq.srqType()));
        srq.close();
    }

    private void xrc() {
        XrcdInitAttr domain =
                new XrcdInitAttr().file(Path.of("somewhere")).oflags(XrcdOpenFlags.CREAT | XrcdOpenFlags.EXCL);
        XrcDomain xrcd = arrives(domain, () -> context.openXrcd(domain));
        SrqInitAttrEx queue = new SrqInitAttrEx().srqType(SrqType.XRC).pd(pd).xrcd(xrcd).cq(receives);
        SharedReceiveQueue srq = arrives(queue.attr(askedSrq()), () -> context.createSrqEx(queue));
        equal(List.of(xrcd, receives, SrqType.XRC), List.of(srq.xrcd(), srq.cq(), srq.srqType()));
        QpInitAttrEx receiver = new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(xrcd).userContext("receives");
        QueuePair qp = arrives(receiver, () -> context.createQpEx(receiver));
        QpOpenAttr again = new QpOpenAttr().qpNum(qp.qpNum()).xrcd(xrcd).qpType(QpType.XRC_RECV);
        QueuePair opened = arrives(again.userContext("again"), () -> context.openQp(again));
        equal(List.of(qp.qpNum(), xrcd, "again"), List.of(opened.qpNum(), opened.xrcd(), opened.userContext()));
        for (AutoCloseable handle : new AutoCloseable[] {opened, qp, srq, xrcd}) {
            Results.close(handle);
        }
    }

    /** Who must know a bit is told by where it lies. */
    private void masks() {
        refused(Errno.EOPNOTSUPP, WITNESS + "100001", () -> withBits(1L << 20, 0));
        refused(Errno.EOPNOTSUPP, WITNESS + Long.toHexString(InputAttr.COMP_MASK2 | 1), () -> withBits(0, 2));
        // The handle of bit 4, to which another bit belongs.
        boolean tables = context.queryContext().libraryLevel() >= 4;
        refused(tables ? Errno.EINVAL : Errno.EOPNOTSUPP, tables ? "RX_HASH" : LIBRARY, () -> withBits(1L << 4, 0));
        refused(Errno.EOPNOTSUPP, LIBRARY, () -> withBits(1L << 32, 0));
        refused(Errno.EOPNOTSUPP, LIBRARY, () -> withBits(1L << 55, 0));
        refused(Errno.EOPNOTSUPP, LIBRARY, () -> withBits(0, 1L << 55));
        withBits(1L << 56, 0); // optional
        withBits(1L << 62, 1L << 63);
        SrqInitAttrEx queue = new SrqInitAttrEx().srqType(SrqType.BASIC).pd(pd).attr(askedSrq());
        queue.masks(queue.compMask() | 1L << 21, 0);
        refused(Errno.EOPNOTSUPP, WITNESS, () -> context.createSrqEx(queue));
        XrcdInitAttr domain = new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT);
        domain.masks(domain.compMask() | 1L << 22, 0);
        refused(Errno.EOPNOTSUPP, WITNESS, () -> context.openXrcd(domain));
    }

    private void withBits(long mask, long mask2) {
        QpInitAttrEx attr = base();
        attr.masks(QpInitAttrMask.PD | mask, mask2);
        context.createQpEx(attr).close();
    }

    /** Every slot has its own entry: the verbs of the library, and of the provider. */
    private void slots() {
        ContextAttr attr = context.queryContext();
        boolean extended = attr.libraryLevel() >= 2;
        boolean provided = extended && attr.providerLevel() >= 2;
        for (int slot = 0; slot < SLOTS; slot++) {
            equal(extended ? 2L : 0L, attr.slots().get(slot, ContextAttr.SLOT_LEVEL));
            long states = (extended ? ContextAttr.LIBRARY_HAS : 0) | (provided ? ContextAttr.PROVIDER_HAS : 0);
            equal(states, attr.slots().get(slot, ContextAttr.SLOT_STATE));
            equal(provided, attr.hasVerb(slot));
        }
        // What a later library has more is for a later program to know.
        int size = attr.libraryLevel() > 2 ? attr.tableSize() : extended ? SLOTS : 0;
        equal(size, attr.tableSize());
        equal(0L, attr.slots().get(size, ContextAttr.SLOT_STATE));
        equal(0L, attr.slots().get(-1, ContextAttr.SLOT_STATE));
    }

    /** Three elements; the program's are shorter than those of the provider, then longer. */
    private void arrays() {
        for (int stride : new int[] {3, 8}) {
            AttrArray array = new AttrArray(3, stride);
            filler().accept(array);
            for (int element = 0; element < 3; element++) {
                for (int word = 0; word < 9; word++) {
                    long expected = word < Math.min(stride, 5) ? 100 * (element + 1) + word : 0;
                    equal(expected, array.get(element, word));
                }
            }
            equal(0L, array.get(3, 0));
            equal(0L, array.get(-1, 0));
        }
    }

    /** More fields than one mask has bits, and fewer than the provider knows. */
    private void fields() {
        for (int size : new int[] {3, 66, 100}) {
            Fields attr = new Fields(size);
            filler().accept(attr);
            for (int index = 0; index < 128; index++) {
                boolean there = index < Math.min(size, 70);
                equal(there, attr.has(index));
                equal(there ? "field " + index : "absent", attr.get(index));
            }
        }
    }

    @SuppressWarnings("unchecked")
    private Consumer<Object> filler() {
        return asked(Consumer.class);
    }

    private static final class Fields extends OutputAttr {
        Fields(int size) {
            super(size);
        }

        private Object get(int index) {
            return field(index, "absent");
        }
    }
}
