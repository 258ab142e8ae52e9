/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.traffic.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.hbldv.HblCqInitAttr;
import io.verbs4j.hbldv.HblOpenAttr;
import io.verbs4j.hbldv.HblQpAttr;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.SimulatedDevice;
import io.verbs4j.rdmacore.sim.Simulator;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One of two devices: its context, and one of its ports with a completion queue and memory. */
final class GaudiRig implements AutoCloseable {
    static final int SIZE = 10 << 20;
    static final int KEY = 0x77;

    /** The port that is wired to the other device; the next one is reached by GID. */
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

    GaudiRig(int device, int port, int cqe) {
        this(open(device), port, cqe);
    }

    GaudiRig(Context context, int port, int cqe) {
        this.context = context;
        this.port = port;
        pd = context.allocPd();
        cq = queue(cqe);
        mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
    }

    static Context open(int device) {
        return SimulatedDevice.open("hbl_" + device, new OpenAttr().vendor(new HblOpenAttr().key(KEY)));
    }

    CompletionQueue queue(int cqe) {
        return context.createCqEx(
                new CqInitAttrEx().cqe(cqe).wcFlags(WcExFlags.STANDARD).vendor(new HblCqInitAttr().portNum(port)));
    }

    /** Returns a queue pair in INIT. */
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

    private QpWalk walk() {
        return QpWalk.of(QpType.RC)
                .port(port)
                .access(AccessFlags.REMOTE_WRITE)
                .mtu(Mtu.MTU_4096)
                .readDepth(0)
                .timeout(8);
    }

    void initialise(QueuePair qp) {
        qp.modify(walk().init());
    }

    Gid gid() {
        return context.queryGid(port, 0);
    }

    /** Connects to a number at a GID, with the keys of the connection. */
    void connect(QueuePair qp, int number, Gid gid, int localKey, int remoteKey, int retries) {
        QpWalk walk = walk().retryCnt(retries);
        qp.modify(walk.rtr(SimulatedDevice.path(gid, port, 0), number).vendor(new HblQpAttr().localKey(localKey)));
        qp.modify(walk.rts().vendor(new HblQpAttr().remoteKey(remoteKey)));
    }

    static void connect(GaudiRig a, QueuePair qa, GaudiRig b, QueuePair qb) {
        a.connect(qa, qb.qpNum(), b.gid(), KEY, KEY, 7);
        b.connect(qb, qa.qpNum(), a.gid(), KEY, KEY, 7);
    }

    static void reset(QueuePair qp) {
        QpWalk.reset(qp);
        Check.equal(0, qp.qpNum(), "the number in RESET");
    }

    /** Returns a write from a local offset to a remote address. */
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

    /** Returns the next completion, which must have arrived and succeeded. */
    WorkCompletion done(QueuePair qp, long id) {
        WorkCompletion c = next(qp, id, WcStatus.SUCCESS);
        Check.equal(0, c.vendorErr(), "vendorErr of " + id);
        return c;
    }

    /** Returns the next completion, which must have arrived. */
    WorkCompletion next(QueuePair qp, long id, int status) {
        Simulator.pump();
        Check.equal(1, cq.poll(1, wc), "completions, waiting for " + id + ", simulator: " + Simulator.message());
        Check.equal(id, wc[0].wrId(), "wrId");
        Check.equal(status, wc[0].status(), "status of " + id);
        Check.equal(qp.qpNum(), wc[0].qpNum(), "qpNum of " + id);
        Check.equal(WcOpcode.RDMA_WRITE, wc[0].opcode(), "opcode of " + id);
        return wc[0];
    }

    /** Returns whether the next completion has arrived, if the devices work by themselves; it must have succeeded. */
    boolean isDone(long id) {
        int taken = cq.poll(1, wc);
        Check.require(taken >= 0, "poll returned " + taken);
        if (taken == 1) {
            Check.equal(id, wc[0].wrId(), "wrId");
            Check.equal(WcStatus.SUCCESS, wc[0].status(), "status");
        }
        return taken == 1;
    }

    /** Returns a value from memory that a peer writes to. */
    int come(int at) {
        return (int) NUMBER.getAcquire(memory, at);
    }

    void nothing() {
        Simulator.pump();
        Check.equal(0, cq.poll(1, wc), "unexpected completions");
    }

    @Override
    public void close() {
        mr.close();
        cq.close();
        pd.close();
        context.close();
    }
}
