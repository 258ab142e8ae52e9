/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Gid;
import io.verbs4j.LinkLayer;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Collectors;

/** One side of a conversation: a context and what a program usually makes on it. Settings are changed before use. */
final class Side {
    static final int BYTES = 1 << 16;
    static final int QKEY = 0x11111111;
    static final int PATH_MTU = Mtu.MTU_1024;
    static final int MTU = 1024;

    // Settings.
    int qpType = QpType.RC;
    int rnrRetry = 7;
    int access = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
    int regionAccess = AccessFlags.LOCAL_WRITE;
    int maxWr = 16;
    int maxSge = 1;
    int maxInline;
    int cqe = 64;
    boolean sigAll;
    boolean withChannel;
    boolean withSrq;

    final KitBase kit;
    final Context context;
    final Memory memory;
    ProtectionDomain pd;
    MemoryRegion mr;
    CompletionChannel channel;
    CompletionQueue cq;
    SharedReceiveQueue srq;
    QueuePair qp;

    Side(KitBase kit, Context context, int seed) {
        this.kit = kit;
        this.context = context;
        memory = new Memory(BYTES, seed);
        if (kit.hasRdmaWrite()) {
            regionAccess |= AccessFlags.REMOTE_WRITE;
        }
        if (kit.hasRdmaRead()) {
            regionAccess |= AccessFlags.REMOTE_READ;
        }
        if (kit.hasAtomics()) {
            regionAccess |= AccessFlags.REMOTE_ATOMIC;
        }
        if (kit.hasMemoryWindows()) {
            regionAccess |= AccessFlags.MW_BIND;
        }
        access &= regionAccess;
    }

    private <T extends AutoCloseable> T made(Class<? super T> type, T object) {
        return kit.opened(kit.authors().saw(type, object));
    }

    /** Makes everything, as the settings say. */
    Side create() {
        pd = made(ProtectionDomain.class, context.allocPd());
        mr = region(memory.buffer, regionAccess);
        if (withChannel) {
            channel = made(CompletionChannel.class, context.createCompChannel());
        }
        cq = made(CompletionQueue.class, context.createCq(cqe, this, channel, 0));
        if (withSrq) {
            srq = made(
                    SharedReceiveQueue.class,
                    pd.createSrq(
                            new SrqInitAttr().attr(new SrqAttr().maxWr(maxWr).maxSge(maxSge))));
        }
        qp = anotherQp();
        return this;
    }

    MemoryRegion region(ByteBuffer buffer, int rights) {
        return made(MemoryRegion.class, pd.regMr(buffer, rights));
    }

    QpInitAttr qpInit() {
        return new QpInitAttr()
                .qpType(qpType)
                .sendCq(cq)
                .recvCq(cq)
                .srq(srq)
                .userContext(this)
                .sqSigAll(sigAll)
                .cap(new QpCap()
                        .maxSendWr(maxWr)
                        .maxRecvWr(srq == null ? maxWr : 0)
                        .maxSendSge(maxSge)
                        .maxRecvSge(srq == null ? maxSge : 0)
                        .maxInlineData(maxInline));
    }

    QueuePair anotherQp() {
        return made(QueuePair.class, pd.createQp(qpInit()));
    }

    // ---- states

    void toInit(QueuePair pair) {
        QpAttr attr = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(kit.portNum());
        pair.modify(pair.qpType() == QpType.UD ? attr.qkey(QKEY) : attr.qpAccessFlags(access));
    }

    void toRtr(QueuePair pair, Side remote, int remoteQpn, int rqPsn) {
        QpAttr attr = new QpAttr().qpState(QpState.RTR);
        if (pair.qpType() != QpType.UD) {
            attr.pathMtu(PATH_MTU).destQpNum(remoteQpn).rqPsn(rqPsn).ahAttr(remote.path());
        }
        if (pair.qpType() == QpType.RC || pair.qpType() == QpType.XRC_RECV) {
            attr.maxDestRdAtomic(kit.hasRdmaRead() || kit.hasAtomics() ? 1 : 0).minRnrTimer(1);
        }
        pair.modify(attr);
    }

    void toRts(QueuePair pair, int sqPsn) {
        QpAttr attr = new QpAttr().qpState(QpState.RTS).sqPsn(sqPsn);
        if (pair.qpType() == QpType.XRC_RECV) {
            attr.timeout(16);
        } else if (pair.qpType() == QpType.RC || pair.qpType() == QpType.XRC_SEND) {
            attr.timeout(16).retryCnt(7).rnrRetry(rnrRetry).maxRdAtomic(kit.hasRdmaRead() || kit.hasAtomics() ? 1 : 0);
        }
        pair.modify(attr);
    }

    /** Connects two sides whose queue pairs are in RESET. */
    static void connect(Side a, Side b) {
        connect(a, a.qp, b, b.qp);
    }

    static void connect(Side a, QueuePair qpA, Side b, QueuePair qpB) {
        a.toInit(qpA);
        b.toInit(qpB);
        a.toRtr(qpA, b, qpB.qpNum(), 0x123456);
        b.toRtr(qpB, a, qpA.qpNum(), 0xfffff0); // wraps soon
        a.toRts(qpA, 0xfffff0);
        b.toRts(qpB, 0x123456);
    }

    Gid gid() {
        return context.queryGid(kit.portNum(), kit.gidIndex());
    }

    /** The way to this side. */
    AhAttr path() {
        PortAttr port = context.queryPort(kit.portNum());
        AhAttr attr = new AhAttr().portNum(kit.portNum()).dlid(port.lid());
        if (port.linkLayer() != LinkLayer.INFINIBAND) {
            attr.isGlobal(true).grh().dgid(gid()).sgidIndex(kit.gidIndex()).hopLimit(64);
        }
        return attr;
    }

    int state() {
        return qp.query(QpAttrMask.STATE).qpState();
    }

    void awaitState(int expected) {
        long end = System.nanoTime() + kit.patience().toNanos();
        while (state() != expected && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        Seen.equal("the state", QpState.toString(expected), QpState.toString(state()));
    }

    // ---- posting and polling

    ScatterGatherElement sge(int offset, int length) {
        return ScatterGatherElement.of(mr, offset, length);
    }

    RecvWorkRequest receive(long wrId, int offset, int length) {
        return new RecvWorkRequest().wrId(wrId).sgList(sge(offset, length));
    }

    void recv(long wrId, int offset, int length) {
        recv(receive(wrId, offset, length));
    }

    void recv(RecvWorkRequest wr) {
        Seen.errno("postRecv", 0, srq != null ? srq.postRecv(wr) : qp.postRecv(wr));
    }

    SendWorkRequest wr(int opcode, long wrId, ScatterGatherElement... list) {
        return new SendWorkRequest()
                .opcode(opcode)
                .wrId(wrId)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(list);
    }

    /** A request about the other side's memory. */
    SendWorkRequest to(Side there, int offset, SendWorkRequest wr) {
        return wr.remoteAddr(there.mr.addr() + offset).rkey(there.mr.rkey());
    }

    void post(SendWorkRequest wr) {
        Seen.errno("postSend", 0, qp.postSend(wr));
    }

    /** Polls until there is a completion. */
    WorkCompletion next() {
        return next(cq);
    }

    WorkCompletion next(CompletionQueue queue) {
        WorkCompletion wc = await(queue, kit.patience().toNanos());
        Seen.check(
                wc != null,
                "no completion in " + kit.patience().toMillis() + " ms; the queue pair is in state "
                        + QpState.toString(state()));
        return wc;
    }

    /** The next completion, which must be of this request and have one of these statuses. */
    WorkCompletion next(long wrId, int... statuses) {
        WorkCompletion wc = next();
        String expected = Arrays.stream(statuses).mapToObj(WcStatus::toString).collect(Collectors.joining(" or "));
        Seen.check(
                Arrays.stream(statuses).anyMatch(status -> status == wc.status()),
                "the status of completion " + wc.wrId() + " is " + WcStatus.toString(wc.status()) + ", not "
                        + expected);
        Seen.equal("wrId of the completion", wrId, wc.wrId());
        return wc;
    }

    /** Looks on for a while: nothing must complete. */
    void nothing(String why) {
        WorkCompletion wc = await(cq, kit.quiet().toNanos());
        if (wc != null) {
            Seen.check(
                    false,
                    "there is a completion (wrId " + wc.wrId() + ", " + WcStatus.toString(wc.status()) + ") " + why);
        }
    }

    private static WorkCompletion await(CompletionQueue queue, long nanos) {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + nanos;
        do {
            int n = queue.poll(1, wc);
            Seen.check(n >= 0, "poll returned " + n);
            if (n == 1) {
                return wc[0];
            }
            Thread.onSpinWait();
        } while (System.nanoTime() < end);
        return null;
    }
}
