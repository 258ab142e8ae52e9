/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.fuzz;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Gid;
import io.verbs4j.Mtu;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.WcOpcode;
import io.verbs4j.WorkCompletion;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.PipeFabric;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import io.verbs4j.provider.rxe.packet.Dispatcher;
import io.verbs4j.provider.rxe.packet.PacketPaths;
import io.verbs4j.provider.rxe.packet.TransportCounters;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.qp.QpHost;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.qp.SendPath;
import io.verbs4j.provider.rxe.queue.EventQueue;
import io.verbs4j.provider.rxe.queue.RxeSharedReceiveQueue;
import io.verbs4j.provider.rxe.queue.RxeSrq;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import io.verbs4j.provider.rxe.xrc.RxeXrcDomain;
import io.verbs4j.provider.rxe.xrc.RxeXrcQp;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/**
 * A device with queue pairs of every type and state, on a pipe instead of a network, with everything that belongs to
 * it: one thread does everything, so that the same packets have the same effect.
 */
final class Range implements AutoCloseable, QpHost {
    private static final int REMOTE =
            AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC | AccessFlags.FLUSH_GLOBAL;
    private static final int FIRST_PSN = 0xfffff8; // wraps soon

    private final TestContext context = TestContext.open((String) null);

    /** Its own, and never acquired: only this thread does anything. */
    private final Port port =
            new Port("fuzz", context.port().config(), context.port().gids());

    /** Maximum number of tagged buffers. */
    private static final int TAGS = 8;

    private final ProtectionDomain pd = context.allocPd();
    private final ProtectionDomain otherPd = context.allocPd();

    /** Without any region. */
    private final ProtectionDomain emptyPd = context.allocPd();

    private final CompletionQueue cq = context.createCq(4096);
    private final EventQueue<AsyncEvent> events = new EventQueue<>("get_async_event", "context");
    private final SharedReceiveQueue srq =
            pd.createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(16).maxSge(2)));
    private final PacketPaths paths = new PacketPaths(port);
    private final Dispatcher dispatcher = paths.newDispatcher();
    private final PipeFabric fabric;
    private final ArrayDeque<RxeQp> kicked = new ArrayDeque<>();
    private final WorkCompletion[] completions = new WorkCompletion[64];
    private final Packet packet = new Packet();

    final Grounds grounds = new Grounds(pd, otherPd);
    final Link link;
    final Link peerLink;
    final AddressHandle addressHandle;
    final List<Mark> marks = new ArrayList<>();

    /** Including those of XRC, which the corpus does not contain. */
    private final List<Mark> all = new ArrayList<>();

    private final XrcDomain xrcd;
    private final RxeSrq xrcSrq;
    private final RxeSrq foreignXrcSrq;
    private final RxeSharedReceiveQueue tagSrq;
    private final Mark busy;

    /** Completions of all kinds so far, to check that something was accepted. */
    long completed;

    long received;
    long answered;

    /** Tagged buffers so far, and attempts. */
    private int tagCount;

    /** Of queue pair 1. */
    final Manager manager = new Manager();

    Range() {
        this(new PipeFabric());
    }

    /** Creates a range whose link and whose peer's link belong to a fabric. */
    Range(PipeFabric fabric) {
        this.fabric = fabric;
        port.management(manager);
        link = fabric.open(port.gids().get(0));
        peerLink = fabric.open(Gid.of(TestContext.newAddress()));
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
        addressHandle = pd.createAh(path());
        for (Mark.Role role : Mark.Role.values()) {
            for (int type = QpType.RC; type <= QpType.UD; type++) {
                boolean makesSense = type == QpType.RC
                        ? role != Mark.Role.SQE
                        : role != Mark.Role.BUSY && (type == QpType.UC || role != Mark.Role.NO_ACCESS);
                if (makesSense && role != Mark.Role.TAGS) {
                    marks.add(new Mark(make(type, role), role, this));
                }
            }
        }
        busy = marks.stream().filter(m -> m.role == Mark.Role.BUSY).findFirst().orElseThrow();
        xrcd = port.xrcDomains().open(context, new XrcdInitAttr().oflags(XrcdOpenFlags.CREAT));
        xrcSrq = xrcSrq(pd);
        foreignXrcSrq = xrcSrq(emptyPd);
        grounds.srqNum = xrcSrq.number();
        grounds.foreignSrqNum = foreignXrcSrq.number();
        all.addAll(marks);
        all.add(new Mark(make(QpType.XRC_SEND, Mark.Role.BUSY), Mark.Role.BUSY, this));
        for (Mark.Role role : List.of(Mark.Role.RTR, Mark.Role.RTS, Mark.Role.NO_ACCESS, Mark.Role.SQD)) {
            RxeXrcQp target =
                    new RxeXrcQp(new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(xrcd), port.newQpNum(), this);
            port.add(target);
            all.add(new Mark(target, role, this));
        }
        tagSrq = tagSrq();
        for (int sends : new int[] {16, 0}) { // with 0 the device reads for rendezvous requests
            all.add(new Mark(makeTagged(sends), Mark.Role.TAGS, this));
        }
        all.forEach(Mark::prepare);
    }

    private RxeSrq xrcSrq(ProtectionDomain domain) {
        SrqInitAttrEx attr = new SrqInitAttrEx()
                .srqType(SrqType.XRC)
                .attr(new SrqAttr().maxWr(16).maxSge(2))
                .pd(domain)
                .xrcd(xrcd)
                .cq(cq);
        RxeSrq queue = new RxeSharedReceiveQueue(context, attr, events).srq;
        ((RxeXrcDomain) xrcd).domain.add(queue);
        return queue;
    }

    private RxeSharedReceiveQueue tagSrq() {
        SrqInitAttrEx attr = new SrqInitAttrEx()
                .srqType(SrqType.TM)
                .attr(new SrqAttr().maxWr(16).maxSge(2))
                .pd(pd)
                .cq(cq)
                .tmCap(TAGS, TAGS);
        return new RxeSharedReceiveQueue(context, attr, events);
    }

    private RxeQp makeTagged(int sends) {
        QpInitAttr attr = new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .srq(tagSrq)
                .cap(new QpCap().maxSendWr(sends).maxSendSge(2));
        RxeQp qp = new RxeQueuePair(context, QpInitAttrEx.of(pd, attr), port.newQpNum(), this, events).qp;
        port.add(qp);
        return qp;
    }

    /** Buffers for some tags and for all, and now and then the number of unexpected messages. */
    private void refillTags() {
        OpsWorkRequest add = new OpsWorkRequest().opcode(OpsWrOpcode.TAG_ADD);
        for (int error = 0; error == 0; tagCount++) {
            add.tag(tagCount % 3L)
                    .mask(tagCount % 5 == 0 ? 0 : 3)
                    .flags(tagCount % 7 == 0 ? OpsFlags.TM_SYNC : 0)
                    .unexpectedCnt(tagCount % 70)
                    .sgList(ScatterGatherElement.of(
                            grounds.local, tagCount % 8L * Mark.RECEIVE_BYTES, tagCount % Mark.RECEIVE_BYTES));
            add.tag(add.tag() & add.mask());
            error = tagSrq.postSrqOps(add);
        }
    }

    private RxeQp make(int type, Mark.Role role) {
        QpInitAttr attr = new QpInitAttr()
                .qpType(type)
                .sendCq(cq)
                .recvCq(cq)
                .srq(role == Mark.Role.SHARED_RECEIVE ? srq : null)
                .cap(new QpCap().maxSendWr(16).maxRecvWr(16).maxSendSge(2).maxRecvSge(2));
        RxeQp qp = new RxeQueuePair(context, QpInitAttrEx.of(pd, attr), port.newQpNum(), this, events).qp;
        port.add(qp);
        return qp;
    }

    private AhAttr path() {
        AhAttr path = new AhAttr().isGlobal(true).portNum(1);
        path.grh().dgid(peerLink.localGid()).hopLimit(64);
        return path;
    }

    void toState(RxeQp qp, int state, Mark.Role role) {
        QpAttr attr = new QpAttr().qpState(state);
        boolean datagrams = qp.qpType() == QpType.UD;
        switch (state) {
            case QpState.INIT -> {
                attr.pkeyIndex(0).portNum(1);
                if (datagrams) {
                    attr.qkey(Mark.QKEY);
                } else {
                    attr.qpAccessFlags(role == Mark.Role.NO_ACCESS ? 0 : REMOTE);
                }
            }
            case QpState.RTR -> {
                if (!datagrams) {
                    attr.pathMtu(Mtu.MTU_256).destQpNum(5).rqPsn(FIRST_PSN).ahAttr(path());
                }
                if (qp.qpType() == QpType.RC || qp.qpType() == QpType.XRC_RECV) {
                    attr.maxDestRdAtomic(4).minRnrTimer(1);
                }
            }
            case QpState.RTS -> {
                attr.sqPsn(FIRST_PSN);
                if (qp.qpType() == QpType.XRC_RECV) {
                    attr.timeout(0);
                } else if (qp.isReliable()) {
                    attr.timeout(0).retryCnt(7).rnrRetry(7).maxRdAtomic(8);
                }
            }
            default -> {
                // it owns nothing else
            }
        }
        qp.modify(attr, attr.mask());
    }

    /** Returns a target queue pair; rarely one that accepts nothing in its state. */
    Mark any(SplittableRandom random) {
        Mark mark = random.nextInt(4) == 0 ? busy : all.get(random.nextInt(all.size()));
        while (!mark.takesPackets() && random.nextInt(8) != 0) {
            mark = all.get(random.nextInt(all.size()));
        }
        return mark;
    }

    // ---- packets

    /** Processes a packet as if its ICRC were valid; returns the result of {@link Packet#parse}. */
    int feed(ByteBuffer b, int offset, int length, Gid from, Gid to) {
        int reason = packet.parse(b, offset, length);
        if (reason == Packet.OK) {
            packet.source(from.subnetPrefix(), from.interfaceId(), Link.PORT);
            packet.destination(to.subnetPrefix(), to.interfaceId());
            dispatcher.onPacket(packet);
        }
        return reason;
    }

    /** Receives from the pipe, with all checks of a link. */
    void poll() {
        while (link.poll(dispatcher, 64) > 0) {
            settle();
        }
        settle();
    }

    /** Ends a burst of packets: they are answered, and deferred work is done. */
    void settle() {
        dispatcher.burstEnded(false);
        while (!kicked.isEmpty()) {
            kicked.poll().service(now(), now());
        }
        paths.flushHeld();
        while (peerLink.poll(this::look, 64) > 0) {
            // all of them
        }
        int n;
        do {
            n = cq.poll(completions.length, completions);
            for (int i = 0; i < n; i++) {
                received += completions[i].opcode() >>> 7 & WcOpcode.RECV >>> 7;
            }
            completed += n;
        } while (n > 0);
        while (events.get(0) != null) {
            // all of them
        }
    }

    /** Checks a response: it must not contain unreadable memory. */
    private void look(Packet answer) {
        answered++;
        if (Opcode.isReadResponse(answer.opcode())) {
            int end = answer.payloadOffset() + answer.payloadLength() - Long.BYTES;
            for (int at = answer.payloadOffset(); at <= end; at += Long.BYTES) {
                if (answer.buffer().getLong(at) == Grounds.EIGHT_SECRETS) {
                    throw new AssertionError("an RDMA READ response exposed protected memory");
                }
            }
        }
    }

    /** Repairs what packets have done to the queue pairs. */
    void restore() {
        long now = now();
        for (Mark mark : all) {
            if (mark.qp.deadline() <= now) {
                mark.qp.service(now, now);
            }
            if (mark.isAsPrepared()) {
                mark.refill();
            } else {
                mark.prepare();
            }
        }
        refillShared();
    }

    private void refillShared() {
        for (RxeSrq queue : List.of(((RxeSharedReceiveQueue) srq).srq, xrcSrq, foreignXrcSrq, tagSrq.srq)) {
            refill(queue);
        }
        refillTags();
    }

    private void refill(RxeSrq queue) {
        int error = 0;
        while (error == 0) {
            error = queue.postRecv(
                    new RecvWorkRequest().sgList(ScatterGatherElement.of(grounds.local, 0, Mark.RECEIVE_BYTES)), null);
        }
    }

    TransportCounters counters() {
        return paths.counters();
    }

    PipeFabric fabric() {
        return fabric;
    }

    /** Fails if anything forbidden has happened. */
    void check() {
        grounds.check();
        manager.check();
        long failures = counters().get(TransportCounters.FAILURE);
        if (failures != 0) {
            throw new AssertionError(failures + " packets could not be handled; the log has the first exception");
        }
    }

    // ---- surroundings of the queue pairs

    @Override
    public MemoryKeys keys() {
        return context.port().keys();
    }

    @Override
    public void kick(RxeQp qp) {
        kicked.add(qp);
    }

    @Override
    public long nanos() {
        return now();
    }

    @Override
    public long soon() {
        return now();
    }

    @Override
    public long now() {
        return System.nanoTime();
    }

    @Override
    public void deadlineSet(long time) {
        // checked in restore()
    }

    @Override
    public Executor helpers() {
        return Runnable::run;
    }

    @Override
    public void communicating(int qpNum) {
        // nobody manages connections here
    }

    @Override
    public SendPath newPath(RxeQp qp) {
        return qp.qpType() == QpType.UD ? paths.datagrams(qp) : paths.connected(qp, link);
    }

    @Override
    public void close() {
        for (Mark mark : all) {
            port.remove(mark.qp);
            mark.qp.destroy();
            mark.close();
        }
        addressHandle.close();
        tagSrq.srq.destroy();
        xrcSrq.destroy();
        foreignXrcSrq.destroy();
        srq.close();
        cq.close();
        grounds.close();
        otherPd.close();
        emptyPd.close();
        pd.close();
        context.close();
        link.close();
        peerLink.close();
        port.acquire();
        port.release(); // closes what the queue pairs of type UD have opened
    }
}
