/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Device;
import io.verbs4j.ExportedFd;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
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
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.DevicePorts;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** One side of a conversation: a context and the objects a program usually creates. Settings are changed before use. */
final class Side implements AutoCloseable {
    static final int ALL_ACCESS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND;
    static final int QKEY = 0x11111111;
    /**
     * The index of the GID in the port's table; on the kernel's devices the first entry is that of the hardware
     * address.
     */
    private static final int GID_INDEX = Integer.getInteger("verbs4j.test.gid", 0);

    private static final long PATIENCE =
            TimeUnit.SECONDS.toNanos(Long.getLong("verbs4j.test.patience", Patience.SECONDS));

    // Settings.
    int qpType = QpType.RC;
    int mtu = Mtu.MTU_1024;
    int timeout = 16; // 268 ms: a busy machine may keep a thread waiting that long
    int retryCnt = 7;
    int rnrRetry = 7;
    int minRnrTimer = 1;
    int rdAtomic = 16;
    int access = ALL_ACCESS;
    int maxWr = 64;
    int maxInline = 256;
    int cqe = 256;
    boolean sigAll;
    boolean withChannel;
    boolean withSrq;

    /** Maximum number of tagged buffers; 0 disables tag matching. */
    int tags;

    /** Whether the device sends on the queue pair when tags are matched. */
    boolean deviceSends;

    int createFlags;

    /** Attributes of an extended completion queue; null for a plain one. */
    CqInitAttrEx extended;

    final Context context;
    final ProtectionDomain pd;
    final ByteBuffer buffer;
    final MemoryRegion mr;
    CompletionChannel channel;
    CompletionQueue cq;
    SharedReceiveQueue srq;
    QueuePair qp;
    XrcDomain xrcd;
    Path file;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    Side(Device device, int bytes) {
        context = opened(Verbs.open(device, VerbsLevel.CURRENT));
        pd = opened(context.allocPd());
        buffer = ByteBuffer.allocateDirect(bytes);
        mr = opened(pd.regMr(buffer, ALL_ACCESS));
    }

    /** A side on a context that shares the objects of another side, using that side's domain and memory. */
    private Side(Context imported, Side owner) {
        context = opened(imported);
        pd = opened(context.importPd(owner.pd.exportHandle()));
        buffer = owner.buffer;
        mr = opened(pd.importMr(owner.mr.exportHandle()));
    }

    /** A side on a context imported from another process, with a domain and a region of that process. */
    Side(Context imported, int pdHandle, int mrHandle) {
        context = opened(imported);
        pd = opened(context.importPd(pdHandle));
        buffer = ByteBuffer.allocateDirect(0);
        mr = opened(pd.importMr(mrHandle));
    }

    /** Imports from another side. */
    static Side importing(Side owner) {
        try (ExportedFd fd = owner.context.exportDevice()) {
            return new Side(
                    Verbs.open(owner.context.device(), VerbsLevel.CURRENT, new OpenAttr().importFd(fd.fd())), owner);
        }
    }

    <T extends AutoCloseable> T opened(T object) {
        opened.push(object);
        return object;
    }

    /** Creates queues and queue pair according to the settings. */
    Side create() {
        if (withChannel) {
            channel = opened(context.createCompChannel());
        }
        cq = opened(
                extended == null
                        ? context.createCq(cqe, this, channel, 0)
                        : context.createCqEx(extended.cqe(cqe).userContext(this).channel(channel)));
        return createQp();
    }

    /** Creates the queue pair with the existing completion queue. */
    Side createQp() {
        if (withSrq) {
            srq = opened(pd.createSrq(
                    new SrqInitAttr().attr(new SrqAttr().maxWr(maxWr).maxSge(4))));
        }
        if (tags > 0) {
            srq = opened(newTagSrq(pd));
        }
        if (qpType == QpType.XRC_SEND || qpType == QpType.XRC_RECV) {
            createXrc();
            return this;
        }
        if (createFlags != 0) {
            qp = opened(context.createQpEx(new QpInitAttrEx()
                    .pd(pd)
                    .qpType(qpType)
                    .sendCq(cq)
                    .recvCq(cq)
                    .createFlags(createFlags)
                    .cap(new QpCap()
                            .maxSendWr(maxWr)
                            .maxRecvWr(maxWr)
                            .maxSendSge(4)
                            .maxRecvSge(4)
                            .maxInlineData(maxInline))));
            return this;
        }
        qp = opened(pd.createQp(new QpInitAttr()
                .qpType(qpType)
                .sendCq(cq)
                .recvCq(cq)
                .srq(srq)
                .sqSigAll(sigAll)
                .cap(new QpCap()
                        .maxSendWr(deviceSends ? 0 : maxWr)
                        .maxRecvWr(maxWr)
                        .maxSendSge(4)
                        .maxRecvSge(4)
                        .maxInlineData(deviceSends ? 0 : maxInline))));
        return this;
    }

    /** Creates a sender, or a receiver with a shared receive queue of its own. */
    private void createXrc() {
        if (qpType == QpType.XRC_SEND) {
            qp = opened(context.createQpEx(new QpInitAttrEx()
                    .qpType(qpType)
                    .sendCq(cq)
                    .sqSigAll(sigAll)
                    .pd(pd)
                    .cap(new QpCap().maxSendWr(maxWr).maxSendSge(4).maxInlineData(maxInline))));
            return;
        }
        createXrcSrq();
        qp = opened(context.createQpEx(new QpInitAttrEx().qpType(qpType).xrcd(xrcd)));
    }

    /** Creates the domain, of the file if there is one, and a shared receive queue. */
    Side createXrcSrq() {
        xrcd = opened(context.openXrcd(new XrcdInitAttr().file(file).oflags(XrcdOpenFlags.CREAT)));
        if (cq == null) {
            cq = opened(context.createCq(cqe, this, null, 0));
        }
        srq = opened(newXrcSrq(pd));
        return this;
    }

    SharedReceiveQueue newTagSrq(ProtectionDomain domain) {
        return context.createSrqEx(new SrqInitAttrEx()
                .attr(new SrqAttr().maxWr(maxWr).maxSge(2))
                .srqType(SrqType.TM)
                .pd(domain)
                .cq(cq)
                .tmCap(tags, maxWr));
    }

    SharedReceiveQueue newXrcSrq(ProtectionDomain domain) {
        return context.createSrqEx(new SrqInitAttrEx()
                .attr(new SrqAttr().maxWr(maxWr).maxSge(4))
                .srqType(SrqType.XRC)
                .pd(domain)
                .xrcd(xrcd)
                .cq(cq));
    }

    Gid gid() {
        return context.queryGid(1, GID_INDEX);
    }

    void toInit() {
        qp.modify(walk().init());
    }

    void toRtr(Gid remote, int remoteQpn, int rqPsn) {
        qp.modify(walk().rqPsn(rqPsn).rtr(path(remote), remoteQpn));
    }

    void toRts(int sqPsn) {
        qp.modify(walk().sqPsn(sqPsn).rts());
    }

    private QpWalk walk() {
        return QpWalk.of(qpType)
                .access(access & ~(AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND))
                .qkey(QKEY)
                .mtu(mtu)
                .minRnrTimer(minRnrTimer)
                .timeout(timeout)
                .retryCnt(retryCnt)
                .rnrRetry(rnrRetry)
                .readDepth(rdAtomic);
    }

    AhAttr path(Gid remote) {
        AhAttr ah = new AhAttr().isGlobal(true).portNum(1);
        ah.grh().dgid(remote).sgidIndex(GID_INDEX).hopLimit(64);
        return ah;
    }

    /** Connects two sides whose queue pairs are in RESET. */
    static void connect(Side a, Side b) {
        int psnA = 0xfffff0; // wraps soon
        int psnB = 0x123456;
        a.toInit();
        b.toInit();
        a.toRtr(b.gid(), b.qp.qpNum(), psnB);
        b.toRtr(a.gid(), a.qp.qpNum(), psnA);
        a.toRts(psnA);
        b.toRts(psnB);
    }

    /** Connects a queue pair in RESET to itself. */
    static void connectToItself(Side a) {
        a.toInit();
        a.toRtr(a.gid(), a.qp.qpNum(), 5);
        a.toRts(5);
    }

    // ---- memory

    /** Fills the buffer with a pattern that differs for each seed. */
    Side fill(int seed) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, pattern(seed, i));
        }
        return this;
    }

    static byte pattern(int seed, int i) {
        return (byte) (seed * 31 + i * 7 + (i >>> 8) * 13);
    }

    void assertPattern(int offset, int seed, int from, int length) {
        for (int i = 0; i < length; i++) {
            if (buffer.get(offset + i) != pattern(seed, from + i)) {
                throw new AssertionError("byte " + i + " at " + (offset + i) + " is " + buffer.get(offset + i)
                        + ", not " + pattern(seed, from + i));
            }
        }
    }

    /** Returns any element, even one outside the region. */
    ScatterGatherElement sge(int offset, int length) {
        return new ScatterGatherElement()
                .addr(mr.addr() + offset)
                .length(length)
                .lkey(mr.lkey());
    }

    // ---- posting and polling

    /** Registers the buffer again, on demand. */
    MemoryRegion onDemand() {
        return opened(pd.regMr(buffer, access | AccessFlags.ON_DEMAND));
    }

    /** Returns how many pages messages were the first to touch. */
    long faults() {
        return DevicePorts.of(context.device()).keys().pages().faults();
    }

    void recv(long wrId, int offset, int length) {
        RecvWorkRequest wr = new RecvWorkRequest().wrId(wrId).sgList(sge(offset, length));
        assertThat(srq != null ? srq.postRecv(wr) : qp.postRecv(wr)).isZero();
    }

    static SendWorkRequest wr(int opcode, long wrId, ScatterGatherElement... list) {
        return new SendWorkRequest()
                .opcode(opcode)
                .wrId(wrId)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(list);
    }

    SendWorkRequest to(SendWorkRequest wr, Side there, int offset) {
        return wr.remoteAddr(there.mr.addr() + offset).rkey(there.mr.rkey());
    }

    void post(SendWorkRequest wr) {
        assertThat(qp.postSend(wr)).isZero();
    }

    /** Polls until there is a completion. */
    WorkCompletion next() {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + PATIENCE;
        for (int turn = 0; System.nanoTime() < end; turn++) {
            int n = cq.poll(1, wc);
            assertThat(n).as("poll").isNotNegative();
            if (n == 1) {
                return wc[0];
            }
            Patience.pause(turn);
        }
        throw new AssertionError("no completion in time; state " + qp.query(1).qpState());
    }

    WorkCompletion next(long wrId, int status) {
        WorkCompletion wc = next();
        assertThat(WcStatus.toString(wc.status())).isEqualTo(WcStatus.toString(status));
        assertThat(wc.wrId()).isEqualTo(wrId);
        assertThat(wc.qpNum()).isEqualTo(qp.qpNum());
        return wc;
    }

    /** Returns the completions of a period, to check that there are no more than expected. */
    List<WorkCompletion> rest(long millis) {
        List<WorkCompletion> all = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            WorkCompletion[] wc = {new WorkCompletion()};
            if (cq.poll(1, wc) == 1) {
                all.add(wc[0]);
            }
        }
        return all;
    }

    void awaitState(int state) {
        long end = System.nanoTime() + PATIENCE;
        for (int turn = 0; qp.query(1).qpState() != state; turn++) {
            if (System.nanoTime() > end) {
                throw new AssertionError(
                        "state is " + QpState.toString(qp.query(1).qpState()) + ", not " + QpState.toString(state));
            }
            Patience.pause(turn);
        }
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                Objects.requireNonNull(opened.pop()).close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
