/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.rdmacore.sim.PolledRounds;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;

/**
 * A program for a simulated device that works in a thread of its own, with {@code --guard}. One thread creates objects
 * of a kind, uses them, and closes them while completions are unpolled; others poll. Reading a destroyed object ends
 * the JVM. Arguments: the kind, the number of rounds, and the data path.
 */
public final class ClosingWhilePolledProgram {
    private static final int BYTES = 1 << 16;
    private static final int FEW = 8;
    private static final int DEPTH = 64;

    /** The kinds of objects to create and close. */
    private enum Kind {
        READS,
        RECEIVES,
        SHARED_RECEIVES,
        XRC,
        RESETS,
        COMPLETION_QUEUES,
        RESIZES,
        WINDOWS,
        KEYS,
        DC,
        DEVICE_MEMORY,
        DEVX
    }

    private final Context context;
    private final ProtectionDomain pd;
    private final MemoryRegion mr;
    private final AhAttr path;
    private final CompletionQueue cq;
    private volatile CompletionQueue polled;
    private volatile boolean isPolled;
    private final AtomicLong seen = new AtomicLong();
    private int turn;

    private ClosingWhilePolledProgram(String dataPath) {
        context = Mlx5Rig.open("mlx5_0", dataPath);
        pd = context.allocPd();
        mr = pd.regMr(ByteBuffer.allocateDirect(BYTES), Mlx5Rig.ACCESS | AccessFlags.MW_BIND);
        path = Mlx5Rig.path(context);
        cq = queue();
        polled = cq;
    }

    public static void main(String... args) throws InterruptedException {
        Kind kind = Kind.valueOf(args[0]);
        ClosingWhilePolledProgram test = new ClosingWhilePolledProgram(args[2]);
        ThreadsProgram.Group group = new ThreadsProgram.Group();
        PolledRounds rounds = new PolledRounds(Integer.parseInt(args[1]), test.seen);
        group.work("closer", () -> {
            for (int i = 0; rounds.includes(i) && !group.isOver(); i++) {
                test.round(kind);
            }
        });
        group.meanwhile("poller", test::poll);
        group.meanwhile("reader", test::read);
        group.await(kind + " are closed while completions are polled");
        test.cq.close();
        test.mr.close();
        test.pd.close();
        test.context.close();
        Simulator.requireNoViolation();
        require(test.seen.get() > 0, "nothing was polled");
        System.out.println(kind + " closed while polled: " + test.seen.get() + " completions");
    }

    private void round(Kind kind) {
        switch (kind) {
            case READS -> reads();
            case RECEIVES -> receives();
            case SHARED_RECEIVES -> sharedReceives();
            case XRC -> xrc();
            case RESETS -> resets();
            case COMPLETION_QUEUES -> completionQueues();
            case RESIZES -> resizes();
            case WINDOWS -> windows();
            case KEYS -> keys();
            case DC -> dc();
            case DEVICE_MEMORY -> deviceMemory();
            case DEVX -> devx();
        }
    }

    private final WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion()};

    private void poll() {
        int got = isPolled ? polled.poll(wc.length, wc) : 0;
        if (got > 0) {
            seen.addAndGet(got);
        } else {
            LockSupport.parkNanos(1_000);
        }
    }

    private void read() {
        CompletionQueue from = polled;
        if (isPolled && from.startPoll(null) == 0) {
            try {
                from.readByteLen();
                from.nextPoll();
            } finally {
                from.endPoll();
            }
        }
        LockSupport.parkNanos(100_000); // lets the other thread poll
    }

    private CompletionQueue queue() {
        return context.createCqEx(new CqInitAttrEx().cqe(4095).wcFlags(WcExFlags.STANDARD));
    }

    private QpInitAttr attr(CompletionQueue completions, SharedReceiveQueue srq) {
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(completions)
                .recvCq(completions)
                .srq(srq)
                .sqSigAll(true)
                .cap(new QpCap()
                        .maxSendWr(DEPTH)
                        .maxSendSge(1)
                        .maxRecvWr(srq == null ? DEPTH : 0)
                        .maxRecvSge(srq == null ? 1 : 0));
    }

    private QueuePair connected(CompletionQueue completions, SharedReceiveQueue srq) {
        QueuePair qp = pd.createQp(attr(completions, srq));
        connect(qp);
        return qp;
    }

    /** Connects a queue pair to itself. */
    private void connect(QueuePair qp) {
        Mlx5Rig.connect(qp, path, qp.qpNum(), Mlx5Rig.WITHOUT_END);
    }

    private SendWorkRequest request(int opcode) {
        return new SendWorkRequest()
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(mr.addr() + BYTES / 2)
                .rkey(mr.rkey())
                .sgList(ScatterGatherElement.of(mr, 0, FEW));
    }

    private void receive(ToIntFunction<RecvWorkRequest> post) {
        RecvWorkRequest wr = new RecvWorkRequest().sgList(ScatterGatherElement.of(mr, 0, FEW));
        for (int i = 0; i < DEPTH; i++) {
            int error = post.applyAsInt(wr);
            require(error == 0, "receive " + i + " was refused: " + error);
        }
    }

    /** Posts as many requests as fit. */
    private void fill(QueuePair qp, SendWorkRequest wr) {
        isPolled = false;
        for (int i = 0; i < DEPTH && qp.postSend(wr) == 0; i++) {
            // the next request
        }
        work();
    }

    /** Lets the device complete some of what was posted since {@link #isPolled} was false; then the others may poll. */
    private void work() {
        long before = Simulator.device_sim_count(Simulator.SENDS);
        for (int i = 0; i < 50 && Simulator.device_sim_count(Simulator.SENDS) - before < DEPTH / 2; i++) {
            LockSupport.parkNanos(50_000);
        }
        isPolled = true;
    }

    private void reads() {
        QueuePair qp = connected(cq, null);
        fill(qp, request(WrOpcode.RDMA_READ));
        qp.close();
    }

    private void receives() {
        QueuePair qp = connected(cq, null);
        receive(qp::postRecv);
        fill(qp, request(WrOpcode.SEND));
        qp.close();
    }

    private void sharedReceives() {
        SharedReceiveQueue srq =
                pd.createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(DEPTH).maxSge(1)));
        QueuePair qp = connected(cq, srq);
        receive(srq::postRecv);
        fill(qp, request(WrOpcode.SEND));
        qp.close();
        srq.close();
    }

    private void xrc() {
        XrcDomain domain = context.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT));
        SharedReceiveQueue srq = context.createSrqEx(new SrqInitAttrEx()
                .attr(new SrqAttr().maxWr(DEPTH).maxSge(1))
                .srqType(SrqType.XRC)
                .pd(pd)
                .cq(cq)
                .xrcd(domain));
        QueuePair to =
                context.createQpEx(new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(domain));
        QueuePair from = context.createQpEx(new QpInitAttrEx()
                .qpType(QpType.XRC_SEND)
                .pd(pd)
                .sendCq(cq)
                .sqSigAll(true)
                .cap(new QpCap().maxSendWr(DEPTH).maxSendSge(1)));
        Mlx5Rig.connect(from, path, to.qpNum(), Mlx5Rig.WITHOUT_END);
        Mlx5Rig.connect(to, path, from.qpNum(), Mlx5Rig.WITHOUT_END);
        receive(srq::postRecv);
        fill(from, request(WrOpcode.SEND).remoteSrqn(srq.srqNum()));
        srq.close();
        from.close();
        to.close();
        domain.close();
    }

    private void resets() {
        try (QueuePair qp = connected(cq, null)) {
            for (int i = 0; i < 8; i++) {
                fill(qp, request(WrOpcode.RDMA_READ));
                QpWalk.reset(qp);
                connect(qp);
            }
        }
    }

    private void completionQueues() {
        CompletionQueue own = queue();
        QueuePair qp = connected(own, null);
        fill(qp, request(WrOpcode.RDMA_READ));
        polled = own;
        LockSupport.parkNanos(100_000);
        qp.close();
        while (!isClosed(own)) {
            Thread.onSpinWait();
        }
    }

    private static boolean isClosed(CompletionQueue queue) {
        try {
            queue.close();
            return true;
        } catch (VerbsException e) {
            require(e.errno() == Errno.EBUSY, e.toString());
            return false;
        }
    }

    private void resizes() {
        CompletionQueue own = queue();
        QueuePair qp = connected(own, null);
        polled = own;
        for (int i = 0; i < 8; i++) {
            fill(qp, request(WrOpcode.RDMA_READ));
            try {
                own.resize(i % 2 == 0 ? 2047 : 4095);
            } catch (VerbsException e) {
                require(e.errno() == Errno.EBUSY, e.toString());
            }
        }
        qp.close();
        while (!isClosed(own)) {
            Thread.onSpinWait();
        }
    }

    private void windows() {
        QueuePair qp = connected(cq, null);
        MemoryWindow mw = pd.allocMw(MwType.TYPE_2);
        SendWorkRequest wr = new SendWorkRequest().opcode(WrOpcode.BIND_MW).sendFlags(SendFlags.SIGNALED);
        int key = mw.rkey();
        isPolled = false;
        for (int i = 0; i < 8; i++) {
            key = MemoryWindow.incRkey(key);
            wr.mw(mw)
                    .mwRkey(key)
                    .mwBind(new MwBind().mr(mr).addr(mr.addr()).length(FEW).mwAccessFlags(AccessFlags.REMOTE_WRITE));
            qp.postSend(wr);
            qp.postSend(new SendWorkRequest()
                    .opcode(WrOpcode.LOCAL_INV)
                    .sendFlags(SendFlags.SIGNALED)
                    .invalidateRkey(key));
        }
        work();
        mw.close();
        qp.close();
    }

    private void keys() {
        QueuePair qp = connected(cq, null);
        MemoryRegion key = pd.allocMrKey(new MrKeyInitAttr().maxEntries(4));
        isPolled = false;
        for (int i = 0; i < 8; i++) {
            qp.postSend(new SendWorkRequest()
                    .opcode(WrOpcode.REG_MR)
                    .sendFlags(SendFlags.SIGNALED)
                    .fastRegister(new FastRegister()
                            .mr(key)
                            .key(MemoryWindow.incRkey(key.rkey()))
                            .access(Mlx5Rig.ACCESS)
                            .addr(mr.addr()))
                    .sgList(ScatterGatherElement.of(mr, 0, FEW)));
            qp.postSend(new SendWorkRequest()
                    .opcode(WrOpcode.LOCAL_INV)
                    .sendFlags(SendFlags.SIGNALED)
                    .invalidateRkey(key.rkey()));
        }
        work();
        if ((turn++ & 1) == 0) {
            key.close();
            qp.close();
        } else {
            qp.close();
            key.close();
        }
    }

    /** Answers inside completions belong into device memory, which is gone when they are polled. */
    private void deviceMemory() {
        DeviceMemory dm = context.allocDm(new AllocDmAttr().length(DEPTH * FEW).logAlignReq(6));
        MemoryRegion region = pd.regDmMr(dm, 0, DEPTH * FEW, AccessFlags.ZERO_BASED | AccessFlags.LOCAL_WRITE);
        QueuePair qp = connected(cq, null);
        fill(
                qp,
                request(WrOpcode.RDMA_READ)
                        .sgList(new ScatterGatherElement().addr(0).length(FEW).lkey(region.lkey())));
        if ((turn++ & 1) == 0) {
            region.close();
            dm.close();
            qp.close();
        } else {
            qp.close();
            region.close();
            dm.close();
        }
    }

    /** Objects that the program has created and changed by DevX commands. */
    private void devx() {
        QueuePair qp = connected(cq, null);
        fill(qp, request(WrOpcode.RDMA_READ));
        Devx devx = context.vendor(Devx.class);
        try (DevxRig.Tis tis = new DevxRig.Tis(devx)) {
            tis.priority(3);
        }
        qp.close();
    }

    private void dc() {
        try (DcRig w = new DcRig(context)) {
            polled = w.targetCq;
            w.ready();
            RecvWorkRequest receive = new RecvWorkRequest().sgList(ScatterGatherElement.of(w.mr, 0, FEW));
            receive(any -> w.srq.postRecv(receive));
            isPolled = false;
            SendBuilder b = w.initiator.builder();
            b.start();
            for (int i = 0; i < 16; i++) {
                b.send(i, SendFlags.SIGNALED)
                        .vendorAddr(w.ah, w.target.qpNum(), DcRig.KEY)
                        .inlineData(w.mr.lkey(), w.mr.addr(), FEW);
            }
            require(b.complete() == 0, "the requests were refused");
            work();
            w.target.close();
            w.initiator.close();
            w.srq.close();
            polled = cq;
            while (!isClosed(w.targetCq)) {
                Thread.onSpinWait();
            }
        }
    }
}
