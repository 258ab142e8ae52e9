/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.OpenAttr;
import io.verbs4j.PortAttr;
import io.verbs4j.PortState;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** Every attribute of level 1, there and back, where the device remembers what it was given. */
class Witnessed {
    static final Object VENDOR = "what only the vendor knows";
    private static final int QUERY_ALL = 0x1f_ffff;
    private static final int UNKNOWN_ACCESS = 1 << 12;
    private static final int OPTIONAL_ACCESS = 1 << 25;
    private static final int LIBRARY_ACCESS = 1 << 30;

    final Context context;
    private final List<?> seen;
    ProtectionDomain pd;
    CompletionQueue sends;
    CompletionQueue receives;

    Witnessed(Context context) {
        this.context = context;
        seen = asked(List.class);
    }

    /** What the provider has by a type that is Java's; null where it knows nothing of it. */
    final <T> T asked(Class<T> type) {
        try {
            return context == null ? null : context.vendor(type);
        } catch (VerbsException e) {
            if (e.errno() == Errno.EOPNOTSUPP) {
                return null;
            }
            throw e;
        }
    }

    final void run() {
        if (seen == null) {
            return; // most devices remember nothing
        }
        pd = context.allocPd();
        sends = context.createCq(5);
        receives = context.createCq(6);
        steps();
        receives.close();
        sends.close();
        pd.close();
    }

    void steps() {
        step("open_attr", this::openAttr);
        step("create_cq", this::createCq);
        step("reg_mr", this::regMr);
        step("create_ah", this::createAh);
        step("create_srq", this::createSrq);
        step("create_qp", this::createQp);
        step("query_device", () -> same(
                Mirror.fill(new DeviceAttr(), 100).physPortCnt(1), context.queryDevice()));
        step("query_port", () -> {
            PortAttr expected = Mirror.fill(new PortAttr(), 202);
            same(expected.state(PortState.ACTIVE).activeMtu(Mtu.MTU_4096).gidTblLen(9), context.queryPort(2));
        });
        step("query_tables", () -> {
            equal(Gid.of(0xfe80_0000_0000_0000L, 0x305), context.queryGid(3, 5));
            equal(0x207, context.queryPkey(2, 7));
            equal(7, context.numCompVectors());
        });
    }

    static void step(String name, Runnable body) {
        Results.step("witness", name, () -> {
            body.run();
            return "";
        });
    }

    static void equal(Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new IllegalStateException("it is " + found + ", not " + expected);
        }
    }

    static void same(Object expected, Object found) {
        none(Mirror.differences(Mirror.of(expected), Mirror.of(found)));
    }

    private static void none(List<String> differences) {
        if (!differences.isEmpty()) {
            throw new IllegalStateException(String.join(", ", differences));
        }
    }

    /** Calls a verb, which must hand every attribute to the provider as it is. */
    final <T> T arrives(Object attr, java.util.function.Supplier<T> verb) {
        Map<String, String> expected = Mirror.of(attr);
        int before = seen.size();
        T result = verb.get();
        equal(before + 1, seen.size());
        Map<String, String> found = new java.util.TreeMap<>();
        ((Map<?, ?>) seen.get(before)).forEach((name, value) -> found.put((String) name, (String) value));
        none(Mirror.differences(expected, found));
        return result;
    }

    /** A call that has to fail so. */
    static void refused(int errno, String words, Runnable verb) {
        try {
            verb.run();
        } catch (VerbsException e) {
            if (e.errno() == errno && e.getMessage().contains(words)) {
                return;
            }
            throw new IllegalStateException("expected " + Errno.name(errno) + " " + words + ", but got " + e, e);
        }
        throw new IllegalStateException("accepted, although " + words + " was expected");
    }

    static QpCap asked() {
        return new QpCap().maxSendWr(11).maxRecvWr(12).maxSendSge(3).maxRecvSge(4).maxInlineData(15);
    }

    /** What the witness makes of it, in another object. */
    static QpCap given() {
        return new QpCap().maxSendWr(12).maxRecvWr(14).maxSendSge(6).maxRecvSge(8).maxInlineData(20);
    }

    static SrqAttr askedSrq() {
        return new SrqAttr().maxWr(21).maxSge(2);
    }

    static void givenSrq(SrqAttr attr) {
        equal(List.of(22, 4), List.of(attr.maxWr(), attr.maxSge()));
    }

    private void openAttr() {
        refused(Errno.EOPNOTSUPP, "OpenAttr", () -> open(1L << 6, 0));
        refused(Errno.EOPNOTSUPP, "OpenAttr", () -> open(1L << 40, 0));
        refused(Errno.EOPNOTSUPP, "OpenAttr", () -> open(1L << 5, 1));
        open(1L << 5, 0); // the witness has honoured it
        open(1L << 57, 1L << 60); // optional
        open(0, 0);
    }

    private void open(long mask, long mask2) {
        OpenAttr attr = new OpenAttr();
        attr.masks(mask, mask2);
        Verbs.open(context.device(), VerbsLevel.CURRENT, attr).close();
    }

    private void createCq() {
        try (CompletionQueue cq = context.createCq(9, VENDOR, null, 3)) {
            equal(10, cq.cqe());
            equal(VENDOR, cq.userContext());
        }
        QpCap nothing = new QpCap();
        arrives(nothing, () -> context.createCq(9, VENDOR, null, 3, VENDOR)).close();
        equal(VENDOR, ((Map<?, ?>) seen.get(seen.size() - 1)).get("vendor"));
    }

    private void regMr() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(100);
        int access = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | OPTIONAL_ACCESS;
        try (MemoryRegion mr = pd.regMr(buffer, access)) {
            equal(access, mr.access());
            equal(100L, mr.length());
        }
        refused(Errno.EOPNOTSUPP, "the witness does not know access 0x1000", () -> pd.regMr(buffer, UNKNOWN_ACCESS));
        refused(Errno.EOPNOTSUPP, "a library must know", () -> pd.regMr(buffer, LIBRARY_ACCESS));
        refused(Errno.EINVAL, "LOCAL_WRITE", () -> pd.regMr(buffer, AccessFlags.REMOTE_WRITE));
    }

    private static AhAttr path(int port) {
        Gid gid = Gid.of(0x1122_3344_5566_7788L, 0x99aa_bbcc_ddee_ff00L);
        return new AhAttr()
                .dlid(0x1234)
                .sl(5)
                .srcPathBits(3)
                .staticRate(2)
                .isGlobal(true)
                .portNum(port)
                .grh(new GlobalRoute().dgid(gid).flowLabel(0x12345).sgidIndex(4).hopLimit(61).trafficClass(0x55));
    }

    private void createAh() {
        AhAttr attr = path(7);
        arrives(attr, () -> pd.createAh(attr)).close();
    }

    private void createSrq() {
        SrqInitAttr attr = new SrqInitAttr().userContext("of the queue").attr(askedSrq());
        SharedReceiveQueue srq = arrives(attr, () -> pd.createSrq(attr));
        givenSrq(attr.attr());
        equal("of the queue", srq.userContext());
        SrqAttr change = new SrqAttr().maxWr(9).srqLimit(4);
        arrives(change, () -> {
            srq.modify(change);
            return change;
        });
        same(Mirror.fill(new SrqAttr(), 300), srq.query());
        srq.close();
    }

    private void createQp() {
        SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr().attr(askedSrq()));
        QpInitAttr attr = new QpInitAttr().userContext("of the pair").sendCq(sends).recvCq(receives).srq(srq);
        attr.qpType(QpType.RC).sqSigAll(true).cap(asked()).vendor(VENDOR);
        QueuePair qp = arrives(attr, () -> pd.createQp(attr));
        same(given(), attr.cap());
        modify(qp);
        QpAttr answer = new QpAttr();
        QpInitAttr madeWith = new QpInitAttr();
        qp.query(answer, QUERY_ALL, madeWith);
        same(Mirror.fill(new QpAttr(), 400).qpState(QpState.RTS), answer);
        same(given(), madeWith.cap());
        equal(List.of(sends, receives, srq), List.of(madeWith.sendCq(), madeWith.recvCq(), madeWith.srq()));
        equal(List.of("of the pair", QpType.RC), List.of(madeWith.userContext(), madeWith.qpType()));
        qp.close();
        srq.close();
    }

    final void modify(QueuePair qp) {
        int access = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | UNKNOWN_ACCESS | OPTIONAL_ACCESS;
        change(qp, new QpAttr().qpState(QpState.INIT).pkeyIndex(3).portNum(2).qpAccessFlags(access));
        QpAttr receive = new QpAttr().qpState(QpState.RTR).ahAttr(path(2)).destQpNum(0xabcdef).rqPsn(0x123456);
        receive.pathMtu(Mtu.MTU_2048).maxDestRdAtomic(6).minRnrTimer(13);
        change(qp, receive.altAhAttr(path(3)).altPortNum(3).altPkeyIndex(8).altTimeout(9));
        QpAttr send = new QpAttr().qpState(QpState.RTS).sqPsn(0x654321).timeout(14).retryCnt(6);
        change(qp, send.rnrRetry(5).maxRdAtomic(4).curQpState(QpState.RTR));
        QpAttr unknown = new QpAttr().qpState(QpState.RTS);
        equal(QpState.RTS, qp.query(QUERY_ALL).qpState());
        refused(Errno.EINVAL, "RTS", () -> qp.modify(unknown.sqPsn(1)));
    }

    private void change(QueuePair qp, QpAttr attr) {
        int mask = attr.mask();
        arrives(attr, () -> {
            qp.modify(attr);
            return qp;
        });
        equal("" + mask, ((Map<?, ?>) seen.get(seen.size() - 1)).get("attrMask"));
    }
}
