/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.traffic;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Device;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import io.verbs4j.hbldv.HblCqInitAttr;
import io.verbs4j.hbldv.HblOpenAttr;
import io.verbs4j.hbldv.HblQpAttr;
import io.verbs4j.provider.gaudi.sim.Check;
import io.verbs4j.provider.gaudi.sim.Simulator;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One of two devices: its context, and a port of it with a completion queue, and memory. */
final class Side implements AutoCloseable {
    static final int SIZE = 10 << 20;
    static final int KEY = 0x77;

    /** The port that is wired to the other device, and the one that is reached by GID. */
    static final int INTERNAL = 1;

    static final int EXTERNAL = 2;

    private static final VarHandle NUMBER = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    final Context context;
    final int port;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final ByteBuffer memory = ByteBuffer.allocateDirect(SIZE);
    final MemoryRegion mr;
    private final WorkCompletion[] wc = {new WorkCompletion()};

    Side(int device, int port, int cqe) {
        this(open(device), port, cqe);
    }

    Side(Context context, int port, int cqe) {
        this.context = context;
        this.port = port;
        pd = context.allocPd();
        cq = queue(cqe);
        mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
    }

    static Context open(int device) {
        String name = "hbl_" + device;
        Device found = Verbs.devices().stream()
                .filter(d -> d.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + name + ": " + Verbs.report()));
        return Verbs.open(found, VerbsLevel.CURRENT, new OpenAttr().vendor(new HblOpenAttr().key(KEY)));
    }

    CompletionQueue queue(int cqe) {
        return context.createCqEx(
                new CqInitAttrEx().cqe(cqe).wcFlags(WcExFlags.STANDARD).vendor(new HblCqInitAttr().portNum(port)));
    }

    /** A queue pair in INIT. */
    QueuePair qp(int depth) {
        return qp(depth, cq);
    }

    QueuePair qp(int depth, CompletionQueue completions) {
        QueuePair qp = pd.createQp(new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(completions)
                .recvCq(completions)
                .cap(new QpCap().maxSendWr(depth).maxSendSge(1).maxRecvWr(1).maxRecvSge(1)));
        initialise(qp);
        return qp;
    }

    void initialise(QueuePair qp) {
        qp.modify(
                new QpAttr().qpState(QpState.INIT).portNum(port).pkeyIndex(0).qpAccessFlags(AccessFlags.REMOTE_WRITE));
    }

    Gid gid() {
        return context.queryGid(port, 0);
    }

    /** Connects with a number at a GID, by keys of the connection. */
    void connect(QueuePair qp, int number, Gid gid, int localKey, int remoteKey, int retries) {
        AhAttr path = new AhAttr().isGlobal(true).portNum(port);
        path.grh().dgid(gid).sgidIndex(0).hopLimit(64);
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(path)
                .pathMtu(Mtu.MTU_4096)
                .destQpNum(number)
                .rqPsn(0)
                .maxDestRdAtomic(0)
                .minRnrTimer(12)
                .vendor(new HblQpAttr().localKey(localKey)));
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .timeout(8)
                .retryCnt(retries)
                .rnrRetry(7)
                .sqPsn(0)
                .maxRdAtomic(0)
                .vendor(new HblQpAttr().remoteKey(remoteKey)));
    }

    static void connect(Side a, QueuePair qa, Side b, QueuePair qb) {
        a.connect(qa, qb.qpNum(), b.gid(), KEY, KEY, 7);
        b.connect(qb, qa.qpNum(), a.gid(), KEY, KEY, 7);
    }

    static void reset(QueuePair qp) {
        qp.modify(new QpAttr().qpState(QpState.RESET));
        Check.equal(0, qp.qpNum(), "the number in RESET");
    }

    /** A write from an offset here to an address there. */
    SendWorkRequest write(long id, int from, long to, int length) {
        return new SendWorkRequest()
                .wrId(id)
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .rkey(KEY)
                .remoteAddr(to)
                .sgList(new ScatterGatherElement()
                        .addr(mr.addr() + from)
                        .lkey(mr.lkey())
                        .length(length));
    }

    static void post(QueuePair qp, SendWorkRequest wr) {
        Check.equal(0, qp.postSend(wr, null), "errno of the post of " + wr.wrId());
    }

    /** The next completion, which has to be there and fine. */
    WorkCompletion done(QueuePair qp, long id) {
        WorkCompletion c = next(qp, id, WcStatus.SUCCESS);
        Check.equal(0, c.vendorErr(), "vendorErr of " + id);
        return c;
    }

    /** The next completion, which has to be there. */
    WorkCompletion next(QueuePair qp, long id, int status) {
        Simulator.pump();
        Check.equal(1, cq.poll(1, wc), "completions, waiting for " + id + ", simulator: " + Simulator.message());
        Check.equal(id, wc[0].wrId(), "wrId");
        Check.equal(status, wc[0].status(), "status of " + id);
        Check.equal(qp.qpNum(), wc[0].qpNum(), "qpNum of " + id);
        Check.equal(WcOpcode.RDMA_WRITE, wc[0].opcode(), "opcode of " + id);
        return wc[0];
    }

    /** Whether the next completion is there, where the devices work by themselves; it has to be fine. */
    boolean isDone(long id) {
        int taken = cq.poll(1, wc);
        Check.require(taken >= 0, "poll answered " + taken);
        if (taken == 1) {
            Check.equal(id, wc[0].wrId(), "wrId");
            Check.equal(WcStatus.SUCCESS, wc[0].status(), "status");
        }
        return taken == 1;
    }

    /** What is in memory that a peer writes to. */
    int come(int at) {
        return (int) NUMBER.getAcquire(memory, at);
    }

    void nothing() {
        Simulator.pump();
        Check.equal(0, cq.poll(1, wc), "completions where there is nothing");
    }

    @Override
    public void close() {
        mr.close();
        cq.close();
        pd.close();
        context.close();
    }
}
