/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.SendEnd;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * A program for a simulated device: checks whether a send queue has run dry, as closing a connection does. Completions
 * belong to the program's own requests. Argument: the data path.
 */
public final class DrySendQueueProgram {
    private static final int LENGTH = 8;
    private static final int TARGET = 1 << 12;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * TARGET);
    private final Context context;
    private final ProtectionDomain pd;
    private final MemoryRegion mr;
    private final CompletionQueue cq;
    private final boolean extended;
    private final WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion()};

    private DrySendQueueProgram(Context context, CompletionQueue cq, boolean extended) {
        this.context = context;
        this.cq = cq;
        this.extended = extended;
        pd = context.allocPd();
        mr = pd.regMr(memory, Mlx5Rig.ACCESS);
    }

    public static void main(String... args) {
        Context context = Mlx5Rig.open("mlx5_0", args[0]);
        long stamps = WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP;
        CompletionQueue[] queues = {
            context.createCq(255),
            context.createCqEx(new CqInitAttrEx().cqe(255).wcFlags(WcExFlags.STANDARD)),
            context.createCqEx(new CqInitAttrEx().cqe(255).wcFlags(stamps))
        };
        for (CompletionQueue cq : queues) {
            DrySendQueueProgram test = new DrySendQueueProgram(context, cq, cq != queues[0]);
            test.nothingPosted();
            test.withoutCompletions();
            test.nobodyPolls();
            test.programPolls();
            test.programReadsOneByOne();
            test.full();
            test.failed();
            test.allDoneThenFailed();
            test.markerRefused();
            test.oneAtATime();
        }
        Simulator.requireNoViolation();
        System.out.println("dry by queues of " + queues.length + " kinds");
    }

    private QueuePair connected() {
        QueuePair qp = pd.createQp(Mlx5Rig.attr(QpType.RC, cq, null));
        ((NativeQueuePair) qp).ibv.sendEnd().watch();
        Mlx5Rig.connect(context, qp, qp.qpNum());
        return qp;
    }

    private static int unfinished(QueuePair qp) {
        return ((NativeQueuePair) qp).ibv.sendEnd().unfinished(qp);
    }

    private static boolean hasFailed(QueuePair qp) {
        return ((NativeQueuePair) qp).ibv.sendEnd().hasFailed();
    }

    private void post(QueuePair qp, int id, int flags) {
        int error = qp.postSend(new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .wrId(id)
                .sendFlags(flags)
                .remoteAddr(mr.addr() + TARGET)
                .rkey(mr.rkey())
                .sgList(ScatterGatherElement.of(mr, 0, LENGTH)));
        require(error == 0, "post " + id + ": " + error);
    }

    private static void requireUnfinished(QueuePair qp) {
        int left = unfinished(qp);
        require(left == SendEnd.SOME, "unfinished before the marker is done: " + left);
    }

    private static void requireDry(QueuePair qp) {
        for (int i = 0; unfinished(qp) != 0; i++) {
            require(i < 10, "not dry although the device has worked");
            Simulator.pump();
        }
        require(!hasFailed(qp), "failed");
    }

    /** In any order, since they may belong to several queue pairs. */
    private void requireCompletions(int first, int count) {
        BitSet seen = new BitSet();
        for (int i = 0; i < count; i++) {
            require(cq.poll(1, wc) == 1, i + " completions of " + count);
            require(wc[0].status() == WcStatus.SUCCESS, wc[0].toString());
            seen.set((int) wc[0].wrId() - first);
        }
        require(seen.nextClearBit(0) == count, "not each completion once: " + seen);
        int more = cq.poll(2, wc);
        require(more == 0, "completions of other requests than the program's: " + more);
    }

    private void nothingPosted() {
        long before = Simulator.device_sim_count(Simulator.SENDS);
        try (QueuePair qp = connected()) {
            requireDry(qp);
            Simulator.pump();
        }
        require(Simulator.device_sim_count(Simulator.SENDS) == before, "something was posted");
    }

    private void withoutCompletions() {
        memory.putLong(0, 42).putLong(TARGET, 0);
        try (QueuePair qp = connected()) {
            for (int i = 0; i < 3; i++) {
                post(qp, i, 0);
            }
            requireUnfinished(qp);
            Simulator.pump();
            requireDry(qp);
            require(memory.getLong(TARGET) == 42, "the data did not arrive");
            requireCompletions(0, 0);
        }
    }

    private void nobodyPolls() {
        try (QueuePair qp = connected();
                QueuePair other = connected()) {
            post(qp, 0, SendFlags.SIGNALED);
            post(other, 1, SendFlags.SIGNALED);
            unfinished(qp);
            Simulator.pump();
            requireDry(qp);
            requireCompletions(0, 2); // they were kept for the program
        }
        requireCompletions(0, 0);
    }

    private void programPolls() {
        try (QueuePair qp = connected()) {
            post(qp, 0, SendFlags.SIGNALED);
            post(qp, 1, 0);
            unfinished(qp);
            Simulator.pump();
            requireCompletions(0, 1);
            requireDry(qp);
            post(qp, 2, SendFlags.SIGNALED);
            Simulator.pump();
            requireCompletions(2, 1);
        }
    }

    private void programReadsOneByOne() {
        if (!extended) {
            return;
        }
        try (QueuePair qp = connected()) {
            post(qp, 0, 0);
            unfinished(qp);
            Simulator.pump();
            require(cq.startPoll(null) == Errno.ENOENT, "the marker was reported");
            requireDry(qp);
        }
        try (QueuePair qp = connected()) {
            post(qp, 1, SendFlags.SIGNALED);
            unfinished(qp);
            Simulator.pump();
            require(cq.startPoll(null) == 0 && cq.wrId() == 1, "nothing to read");
            require(cq.nextPoll() == Errno.ENOENT, "the marker was reported");
            require(cq.endPoll() == 0, "not ended");
            requireDry(qp);
            requireCompletions(0, 0);
        }
    }

    private void full() {
        try (QueuePair qp = connected()) {
            int posted = 0;
            while (qp.postSend(new SendWorkRequest()
                            .opcode(WrOpcode.RDMA_WRITE)
                            .wrId(posted)
                            .sendFlags(SendFlags.SIGNALED)
                            .remoteAddr(mr.addr() + TARGET)
                            .rkey(mr.rkey())
                            .sgList(ScatterGatherElement.of(mr, 0, LENGTH)))
                    == 0) {
                posted++;
            }
            unfinished(qp);
            Simulator.pump();
            requireDry(qp);
            requireCompletions(0, posted);
        }
    }

    private void failed() {
        try (QueuePair qp = connected()) {
            post(qp, 0, 0);
            unfinished(qp);
            qp.modify(new QpAttr().qpState(QpState.ERR));
            Simulator.pump();
            for (int i = 0; unfinished(qp) != 0; i++) {
                require(i < 10, "no end although the queue pair is in ERR");
                Simulator.pump();
            }
            require(hasFailed(qp), "a request that was flushed has not failed");
        }
        requireCompletions(0, 0);
    }

    /** The queue pair fails with only the marker under way and unpolled completions. */
    private void allDoneThenFailed() {
        try (QueuePair qp = connected()) {
            post(qp, 0, SendFlags.SIGNALED);
            post(qp, 1, SendFlags.SIGNALED);
            unfinished(qp);
            require(Simulator.device_sim_pump(2) != 0, "the device has not worked");
            qp.modify(new QpAttr().qpState(QpState.ERR));
            Simulator.pump();
            requireDry(qp);
            requireCompletions(0, 2);
        }
    }

    /** The peer accepts sends but no writes, so it has received everything before the marker. */
    private void markerRefused() {
        try (QueuePair qp = pd.createQp(Mlx5Rig.attr(QpType.RC, cq, null));
                QueuePair peer = pd.createQp(Mlx5Rig.attr(QpType.RC, cq, null))) {
            Mlx5Rig.connect(context, qp, peer.qpNum());
            Mlx5Rig.connect(QpType.RC, Mlx5Rig.path(context), qp.qpNum(), Mlx5Rig.WITHOUT_END, attr -> {
                if (attr.qpState() == QpState.INIT) {
                    attr.qpAccessFlags(0);
                }
                peer.modify(attr);
            });
            int error =
                    peer.postRecv(new RecvWorkRequest().wrId(7).sgList(ScatterGatherElement.of(mr, TARGET, LENGTH)));
            require(error == 0, "receive: " + error);
            error = qp.postSend(
                    new SendWorkRequest().opcode(WrOpcode.SEND).sgList(ScatterGatherElement.of(mr, 0, LENGTH)));
            require(error == 0, "send: " + error);
            unfinished(qp);
            Simulator.pump();
            requireDry(qp);
            require(cq.poll(1, wc) == 1 && wc[0].wrId() == 7 && wc[0].status() == WcStatus.SUCCESS, wc[0].toString());
        }
        requireCompletions(0, 0);
    }

    private void oneAtATime() {
        QueuePair first = connected();
        try (QueuePair second = connected()) {
            post(first, 0, 0);
            post(second, 0, 0);
            unfinished(first);
            unfinished(second);
            Simulator.pump();
            requireDry(first);
            first.close();
            requireDry(second);
        }
        requireCompletions(0, 0);
    }
}
