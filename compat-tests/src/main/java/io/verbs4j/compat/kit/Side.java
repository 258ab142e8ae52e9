/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
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
import io.verbs4j.QpInitAttrEx;
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
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/**
 * One side of a conversation: a context and the objects that a program usually creates on it. Change settings before
 * use.
 */
final class Side {
    static final int BYTES = 1 << 16;
    static final int QKEY = 0x11111111;
    static final int PATH_MTU = Mtu.MTU_1024;
    static final int MTU = 1024;
    private static final int FOR_EVER = 7;

    // Settings.
    int qpType;
    int rnrRetry = FOR_EVER;
    int access = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
    int regionAccess = AccessFlags.LOCAL_WRITE;
    int maxWr = 16;
    int maxSge = 1;
    int maxInline;
    int cqe = 64;
    boolean sigAll;
    boolean withChannel;
    boolean extendedCq;
    long wcFlags;
    int cqFlags;
    boolean withSrq;
    int port;
    int createFlags;

    final Rig rig;
    final Context context;
    final Memory memory;
    ProtectionDomain pd;
    MemoryRegion mr;
    CompletionChannel channel;
    CompletionQueue cq;
    SharedReceiveQueue srq;
    QueuePair qp;
    private final Map<Side, AddressHandle> ways = new HashMap<>();

    Side(Rig rig, Context context, int seed) {
        this.rig = rig;
        this.context = context;
        qpType = rig.reliableType();
        port = rig.kit.portNum();
        memory = new Memory(BYTES, seed);
        if (rig.has(Capability.RDMA_WRITE)) {
            regionAccess |= AccessFlags.REMOTE_WRITE;
        }
        if (rig.has(Capability.RDMA_READ)) {
            regionAccess |= AccessFlags.REMOTE_READ;
        }
        if (rig.has(Capability.ATOMICS)) {
            regionAccess |= AccessFlags.REMOTE_ATOMIC;
        }
        if (rig.has(Capability.MEMORY_WINDOWS) || rig.has(Capability.TYPE_2_WINDOWS)) {
            regionAccess |= AccessFlags.MW_BIND;
        }
        access &= regionAccess;
    }

    /** Creates all objects according to the settings. */
    Side create() {
        pd = rig.authors().saw(ProtectionDomain.class, rig.domain(context));
        mr = region(memory.buffer, regionAccess);
        if (withChannel) {
            channel = rig.made(CompletionChannel.class, context.createCompChannel());
        }
        CqInitAttrEx attr =
                new CqInitAttrEx().cqe(cqe).userContext(this).channel(channel).wcFlags(wcFlags);
        if (cqFlags != 0) {
            attr.flags(cqFlags);
        }
        cq = rig.made(
                CompletionQueue.class, extendedCq ? context.createCqEx(attr) : context.createCq(cqe, this, channel, 0));
        if (withSrq) {
            srq = rig.made(
                    SharedReceiveQueue.class,
                    pd.createSrq(
                            new SrqInitAttr().attr(new SrqAttr().maxWr(maxWr).maxSge(maxSge))));
        }
        if (qpType != QpType.RC || rig.has(Capability.RC)) {
            qp = anotherQp();
        }
        return this;
    }

    MemoryRegion region(ByteBuffer buffer, int rights) {
        return rig.made(MemoryRegion.class, pd.regMr(buffer, rights));
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
                        .maxRecvWr(srq == null && rig.hasReceives() ? maxWr : 0)
                        .maxSendSge(maxSge)
                        .maxRecvSge(srq == null && rig.hasReceives() ? maxSge : 0)
                        .maxInlineData(maxInline));
    }

    QueuePair anotherQp() {
        return rig.made(
                QueuePair.class,
                createFlags == 0
                        ? pd.createQp(qpInit())
                        : context.createQpEx(QpInitAttrEx.of(pd, qpInit()).createFlags(createFlags)));
    }

    /** {@return how many requests that the other side answers may be in flight} */
    private int answered() {
        return rig.has(Capability.RDMA_READ) || rig.has(Capability.ATOMICS) || rig.has(Capability.ATOMIC_WRITE) ? 1 : 0;
    }

    // ---- states

    void toInit(QueuePair pair) {
        QpAttr attr = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(port);
        pair.modify(isConnected(pair) ? attr.qpAccessFlags(access) : attr.qkey(QKEY));
    }

    void toRtr(QueuePair pair, Side remote, int remoteQpn, int rqPsn) {
        QpAttr attr = new QpAttr().qpState(QpState.RTR);
        if (isConnected(pair)) {
            attr.pathMtu(PATH_MTU).destQpNum(remoteQpn).rqPsn(rqPsn).ahAttr(remote.path());
        }
        if (pair.qpType() == QpType.RC || pair.qpType() == QpType.XRC_RECV) {
            attr.maxDestRdAtomic(answered()).minRnrTimer(1);
        }
        pair.modify(attr);
    }

    void toRts(QueuePair pair, int sqPsn) {
        QpAttr attr = new QpAttr().qpState(QpState.RTS).sqPsn(sqPsn);
        if (pair.qpType() == QpType.XRC_RECV) {
            attr.timeout(16);
        } else if (pair.qpType() == QpType.RC || pair.qpType() == QpType.XRC_SEND) {
            attr.timeout(16).retryCnt(7).rnrRetry(rnrRetry).maxRdAtomic(answered());
        } else if (pair.qpType() == QpType.DRIVER && rnrRetry != FOR_EVER) { // their default
            attr.rnrRetry(rnrRetry);
        }
        pair.modify(attr);
    }

    /** Makes a queue pair ready that is not connected: each request names its destination. */
    void unconnected(QueuePair pair) {
        toInit(pair);
        toRtr(pair, this, 0, 0);
        toRts(pair, 1);
    }

    private static boolean isConnected(QueuePair pair) {
        return pair.qpType() != QpType.UD && pair.qpType() != QpType.DRIVER;
    }

    /** Connects two sides whose queue pairs are in RESET; for reliable datagrams, creates address handles. */
    static void connect(Side a, Side b) {
        connect(a, a.qp, b, b.qp);
    }

    static void connect(Side a, QueuePair qpA, Side b, QueuePair qpB) {
        if (qpA.qpType() == QpType.DRIVER) {
            a.unconnected(qpA);
            b.unconnected(qpB);
            a.way(b);
            b.way(a); // a target of reads or writes may need one too
            return;
        }
        a.toInit(qpA);
        b.toInit(qpB);
        if (!a.rig.kit.hasConnectingModify()) {
            a.rig.kit.connect(qpA, qpB);
            return;
        }
        a.toRtr(qpA, b, qpB.qpNum(), 0x123456);
        b.toRtr(qpB, a, qpA.qpNum(), 0xfffff0); // wraps soon
        a.toRts(qpA, 0xfffff0);
        b.toRts(qpB, 0x123456);
    }

    Gid gid() {
        return context.queryGid(port, rig.kit.gidIndex(port));
    }

    /** {@return the path to this side} */
    AhAttr path() {
        PortAttr told = context.queryPort(port);
        AhAttr attr = new AhAttr().portNum(port).dlid(told.lid());
        if (told.linkLayer() != LinkLayer.INFINIBAND) {
            attr.isGlobal(true)
                    .grh()
                    .dgid(gid())
                    .sgidIndex(rig.kit.gidIndex(port))
                    .hopLimit(64);
        }
        return attr;
    }

    /** {@return the address handle to another side, the same each time} */
    private AddressHandle way(Side to) {
        return ways.computeIfAbsent(to, there -> rig.made(AddressHandle.class, pd.createAh(there.path())));
    }

    /** Sets the address handle to another side for the following requests. */
    void way(Side to, AddressHandle ah) {
        ways.put(to, ah);
    }

    /** {@return whether requests complete, and messages arrive, in the order of their posting} */
    boolean isOrdered() {
        return qpType != QpType.DRIVER;
    }

    int state() {
        return qp.query(QpAttrMask.STATE).qpState();
    }

    void awaitState(int expected) {
        long end = System.nanoTime() + rig.kit.patience().toNanos();
        while (state() != expected && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        Seen.equal("the state", QpState.toString(expected), QpState.toString(state()));
    }

    // ---- posting and polling

    /** {@return any element, even one outside the region} */
    ScatterGatherElement sge(int offset, int length) {
        return new ScatterGatherElement()
                .addr(mr.addr() + offset)
                .length(length)
                .lkey(mr.lkey());
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

    /** Aims a request at the other side's memory. */
    SendWorkRequest to(Side there, int offset, SendWorkRequest wr) {
        return wr.remoteAddr(there.mr.addr() + offset).rkey(there.mr.rkey());
    }

    void post(SendWorkRequest wr) {
        Seen.errno("postSend", 0, qp.postSend(wr));
    }

    // ---- the operation that the device has: SEND, else RDMA write, else RDMA read

    /** {@return the operation for rules that are not about a particular one} */
    int opcode() {
        if (rig.has(Capability.SEND)) {
            return WrOpcode.SEND;
        }
        Assumptions.assumeTrue(
                rig.has(Capability.RDMA_WRITE) || rig.has(Capability.RDMA_READ),
                "capabilities() declares none of SEND, RDMA_WRITE and RDMA_READ, so there is nothing to post");
        return rig.has(Capability.RDMA_WRITE) ? WrOpcode.RDMA_WRITE : WrOpcode.RDMA_READ;
    }

    /** {@return a request for the operation between memory of both sides} */
    SendWorkRequest operation(Side there, long wrId, int offset, int offsetThere, int length) {
        return operation(there, wrId, offsetThere, sge(offset, length));
    }

    SendWorkRequest operation(Side there, long wrId, int offsetThere, ScatterGatherElement... list) {
        return request(opcode(), there, wrId, offsetThere, list);
    }

    /** {@return a request to the other side, aimed at its memory if the operation needs an address} */
    SendWorkRequest request(int opcode, Side there, long wrId, int offsetThere, ScatterGatherElement... list) {
        SendWorkRequest wr = wr(opcode, wrId, list);
        if (qpType == QpType.DRIVER) {
            wr.ah(way(there)).remoteQpn(there.qp.qpNum()).remoteQkey(QKEY);
        }
        return opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM ? wr : to(there, offsetThere, wr);
    }

    /** Prepares this side for an operation: posts a receive if the operation consumes one. */
    void ready(long wrId, int offset, int length) {
        if (rig.has(Capability.SEND)) {
            recv(wrId, offset, length);
        }
    }

    /** Checks that the receive of an operation has completed, if it consumes one. */
    void took(long wrId) {
        if (rig.has(Capability.SEND)) {
            next(wrId, WcStatus.SUCCESS);
        }
    }

    /** Performs an operation, and waits until all of it has completed. */
    void exchange(Side there, long wrId, int offset, int offsetThere, int length) {
        there.ready(wrId, offsetThere, length);
        post(operation(there, wrId, offset, offsetThere, length));
        next(wrId, WcStatus.SUCCESS);
        there.took(wrId);
        moved(there, offset, offsetThere, length);
    }

    /** Checks that an operation has moved the bytes: to this side for a read, otherwise to the other. */
    void moved(Side there, int offset, int offsetThere, int length) {
        if (opcode() == WrOpcode.RDMA_READ) {
            memory.holds(offset, there.memory, offsetThere, length);
        } else {
            there.memory.holds(offsetThere, memory, offset, length);
        }
    }

    /** Gives the device time to do what was requested. */
    void pause() {
        long end = System.nanoTime() + rig.kit.quiet().toNanos();
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Polls until there is a completion. */
    WorkCompletion next() {
        return next(cq);
    }

    WorkCompletion next(CompletionQueue queue) {
        WorkCompletion wc = await(queue, rig.kit.patience().toNanos());
        if (wc == null) {
            String state = qp == null ? "" : "; the queue pair is in state " + QpState.toString(state());
            Seen.check(false, "no completion in " + rig.kit.patience().toMillis() + " ms" + state);
        }
        return wc;
    }

    /** Waits for the next completion, which must be of this request and have one of these statuses. */
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

    /**
     * Waits for the next completion, which must report that the other side refused this request for one of these
     * reasons.
     */
    void refused(long wrId, int... reasons) {
        if (rig.kit.hasRemoteReasons()) {
            next(wrId, reasons);
        } else {
            next(wrId, WcStatus.GENERAL_ERR); // see hasRemoteReasons
        }
    }

    /** Waits for several completions; returns them by their ids, in whatever order they come. */
    Map<Long, WorkCompletion> all(int count) {
        Map<Long, WorkCompletion> all = new HashMap<>();
        for (int i = 0; i < count; i++) {
            WorkCompletion wc = next();
            Seen.check(all.put(wc.wrId(), wc) == null, "two completions have wrId " + wc.wrId());
        }
        return all;
    }

    /** Waits for a while: nothing must complete. */
    void nothing(String why) {
        WorkCompletion wc = await(cq, rig.kit.quiet().toNanos());
        if (wc != null) {
            Seen.check(
                    false,
                    "unexpected completion (wrId " + wc.wrId() + ", " + WcStatus.toString(wc.status()) + ") " + why);
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
