/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.EventType;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
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
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.share.Channel;
import io.verbs4j.provider.rxe.share.RingWriter;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The side under test: a device, a queue pair and a buffer. Settings are changed before {@link #connect}. */
public final class Subject implements AutoCloseable {
    public static final int QKEY = 0x1111_1111;
    public static final int ALL =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    private static final long PAUSE = 20_000;

    // Settings.
    public int mtu = Mtu.MTU_1024;
    public int timeout = 20; // 4.3 s: longer than a test waits for nothing to arrive, on a busy machine
    public int retryCnt = 3;
    public int rnrRetry = 3;
    public int minRnrTimer = 17;
    public int maxRdAtomic = 4;
    public int maxDestRdAtomic = 4;
    public int access = ALL & ~AccessFlags.LOCAL_WRITE;

    public final TestContext context;
    public final ProtectionDomain pd;
    public final ByteBuffer buffer;
    public final MemoryRegion mr;
    public final CompletionQueue cq;
    public final QueuePair qp;
    private final SharedReceiveQueue srq;

    public Subject(int qpType, String faults, int bytes) {
        this(qpType, faults, bytes, false);
    }

    /** With its own receive queue, or a shared one. */
    public Subject(int qpType, String faults, int bytes, boolean shared) {
        this(TestContext.open(faults), qpType, bytes, shared);
    }

    /** On its own device, which is open. */
    public Subject(TestContext device, int qpType, int bytes) {
        this(device, qpType, bytes, false);
    }

    private Subject(TestContext device, int qpType, int bytes, boolean shared) {
        context = device;
        pd = context.allocPd();
        buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        mr = pd.regMr(buffer, ALL);
        cq = context.createCq(4096);
        srq = shared
                ? pd.createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(64).maxSge(2)))
                : null;
        qp = pd.createQp(new QpInitAttr()
                .srq(srq)
                .qpType(qpType)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap()
                        .maxSendWr(256)
                        .maxRecvWr(1024)
                        .maxSendSge(2)
                        .maxRecvSge(2)
                        .maxInlineData(64)));
    }

    /**
     * Prepares for a network that loses packets, before {@link #connect}: allows the maximum of retries, half a second
     * in total, by when a busy machine has scheduled the peer.
     */
    void expectLoss() {
        timeout = 14; // 67 ms
        retryCnt = 7;
    }

    public Gid gid() {
        return context.queryGid(1, 0);
    }

    public void connect(Gid remote, int qpn, int sqPsn, int rqPsn) {
        toRtr(remote, qpn, rqPsn);
        toRts(sqPsn);
    }

    public void toRtr(Gid remote, int qpn, int rqPsn) {
        QpWalk walk = walk().rqPsn(rqPsn);
        qp.modify(walk.init());
        qp.modify(walk.rtr(QpWalk.path(remote), qpn));
    }

    public void toRts(int sqPsn) {
        qp.modify(walk().sqPsn(sqPsn).rts());
    }

    private QpWalk walk() {
        return QpWalk.of(qp.qpType())
                .access(access)
                .qkey(QKEY)
                .mtu(mtu)
                .minRnrTimer(minRnrTimer)
                .timeout(timeout)
                .retryCnt(retryCnt)
                .rnrRetry(rnrRetry)
                .readDepth(maxRdAtomic, maxDestRdAtomic);
    }

    public static AhAttr path(Gid remote) {
        return QpWalk.path(remote);
    }

    /** Returns the ring to an address; null if there is none now. */
    public RingWriter ring(Gid to) {
        Channel channel = context.port().openLinks().get(0).reach(to);
        return channel == null ? null : channel.ring();
    }

    /** Waits for a ring to an address. */
    public RingWriter awaitRing(Gid to) {
        long end = System.nanoTime() + Patience.NANOS;
        RingWriter ring = ring(to);
        for (; ring == null; ring = ring(to)) {
            assertThat(System.nanoTime()).as("time until a ring is established").isLessThan(end);
            cq.poll(0, new WorkCompletion[0]);
        }
        return ring;
    }

    // ---- memory

    public void put(int at, byte[] data) {
        buffer.put(at, data);
    }

    public byte[] get(int at, int length) {
        byte[] b = new byte[length];
        buffer.get(at, b);
        return b;
    }

    public long address(int at) {
        return mr.addr() + at;
    }

    // ---- posting and polling

    /** Returns any element, even one outside the region. */
    private ScatterGatherElement piece(int at, int length) {
        return new ScatterGatherElement().addr(mr.addr() + at).length(length).lkey(mr.lkey());
    }

    public void recv(long wrId, int at, int length) {
        RecvWorkRequest wr = new RecvWorkRequest().wrId(wrId).sgList(piece(at, length));
        assertThat(srq != null ? srq.postRecv(wr) : qp.postRecv(wr)).isZero();
    }

    public SendWorkRequest wr(int opcode, long wrId, int at, int length) {
        return new SendWorkRequest()
                .opcode(opcode)
                .wrId(wrId)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(piece(at, length));
    }

    public void post(int opcode, long wrId, int at, int length) {
        post(wr(opcode, wrId, at, length));
    }

    public void post(SendWorkRequest wr) {
        assertThat(qp.postSend(wr)).isZero();
    }

    public WorkCompletion next() {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + Patience.NANOS;
        for (int turn = 0; cq.poll(1, wc) == 0; turn++) {
            if (System.nanoTime() > end) {
                throw new AssertionError("no completion in time; " + counters());
            }
            Patience.pause(turn);
        }
        return wc[0];
    }

    public WorkCompletion next(long wrId, int status) {
        WorkCompletion wc = next();
        assertThat(wc.wrId() + " " + WcStatus.toString(wc.status())).isEqualTo(wrId + " " + WcStatus.toString(status));
        return wc;
    }

    /** Expects that nothing completes for a while. */
    public void nothingCompletes() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(30);
        WorkCompletion[] wc = {new WorkCompletion()};
        while (System.nanoTime() < end) {
            assertThat(cq.poll(1, wc)).as("completions").isZero();
            LockSupport.parkNanos(PAUSE);
        }
    }

    public void nextEvent(int type) {
        AsyncEvent event = context.getAsyncEvent(Patience.SECONDS, TimeUnit.SECONDS);
        assertThat(event).as("event").isNotNull();
        assertThat(EventType.toString(event.eventType())).isEqualTo(EventType.toString(type));
    }

    public void awaitError() {
        long end = System.nanoTime() + Patience.NANOS;
        for (int turn = 0; state() != QpState.ERR; turn++) {
            assertThat(System.nanoTime()).as("waiting for ERR").isLessThan(end);
            Patience.pause(turn);
        }
    }

    public int state() {
        return ((RxeQueuePair) qp).qp.state();
    }

    public TransportCounters counters() {
        return context.port().transportCounters();
    }

    /** Polls, which receives packets, until a counter reaches a value. */
    public void awaitCount(int counter, long value) {
        long end = System.nanoTime() + Patience.NANOS;
        WorkCompletion[] none = {};
        while (counters().get(counter) < value) {
            cq.poll(0, none);
            assertThat(System.nanoTime()).as("%s", counters()).isLessThan(end);
        }
    }

    @Override
    public void close() {
        qp.close();
        if (srq != null) {
            srq.close();
        }
        cq.close();
        mr.close();
        pd.close();
        context.close();
    }
}
