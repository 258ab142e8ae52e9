/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import com.sun.jna.Pointer;
import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.devicecode.CpuProxy;
import io.verbs4j.devicecode.DeviceCode;
import io.verbs4j.devicecode.DeviceRing;
import io.verbs4j.devicecode.lanes.LaneJob;
import io.verbs4j.devicecode.lanes.Lanes;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * A program for a simulated device: lanes, threads of C that know nothing of verbs, use a queue pair that Java made and
 * connected. The first argument names a case; a second one replaces a piece of the texts by a third: a mutant.
 */
public final class DeviceCodeProgram implements AutoCloseable {
    private static final int HALF = 1 << 20;
    private static final int LENGTH = 512;
    private static final int TARGET = HALF;
    private static final int TURNS = 2_000;
    private static final int POSTS = 8_000;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * HALF).order(ByteOrder.nativeOrder());
    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final CompletionQueue peerCq;
    private final MemoryRegion mr;
    private final QueuePair qp;
    private final QueuePair peer;
    private final Lanes lanes;
    private DeviceRing ring;

    private DeviceCodeProgram(Map<String, String> edits) throws Exception {
        context = Mlx5Rig.open("mlx5_0", "java");
        pd = context.allocPd();
        cq = context.createCq(64);
        peerCq = context.createCq(64);
        mr = pd.regMr(
                memory,
                AccessFlags.LOCAL_WRITE
                        | AccessFlags.REMOTE_WRITE
                        | AccessFlags.REMOTE_READ
                        | AccessFlags.REMOTE_ATOMIC);
        qp = pd.createQp(Mlx5Rig.attr(QpType.RC, cq, null));
        peer = pd.createQp(Mlx5Rig.attr(QpType.RC, peerCq, null));
        Mlx5Rig.connect(context, qp, peer.qpNum());
        Mlx5Rig.connect(context, peer, qp.qpNum());
        lanes = Lanes.of(DeviceCode.of(context), edits);
        for (int i = 0; i < HALF; i += Integer.BYTES) {
            memory.putInt(i, i * 0x9e3779b1);
        }
    }

    public static void main(String... args) {
        Simulator.device_sim_mode(Simulator.THREAD);
        Map<String, String> edits = args.length > 2 ? Map.of(args[1], args[2]) : Map.of();
        Cases.run(args[0], name -> {
            try (DeviceCodeProgram program = new DeviceCodeProgram(edits)) {
                program.run(name);
            }
            Simulator.requireNoViolation();
        });
    }

    private void run(String name) {
        switch (name) {
            case "one" -> writes(1, 20_000, 1, 1);
            case "batches" -> writes(1, 20_000, 5, 1);
            case "unsignaled" -> writes(1, 20_000, 4, 4);
            case "eight" -> writes(8, 5_000, 1, 1);
            case "eightInBatches" -> writes(8, 5_000, 3, 1);
            case "proxy" -> proxy();
            case "late" -> late();
            case "reads" -> reads();
            case "atomics" -> atomics();
            case "sends" -> sends();
            case "full" -> full();
            case "failed" -> failed();
            case "refused" -> refused();
            case "shared" -> shared();
            case "versions" -> versions();
            case "arrivals" -> arrivals();
            case "warp" -> warp();
            case "speed" -> speed();
            case "speedByProxy" -> speedByProxy();
            case "gpu" -> System.out.println(lanes.gpu());
            default -> throw new IllegalArgumentException(name);
        }
    }

    private ScatterGatherElement piece(long addr) {
        return new ScatterGatherElement().addr(addr).length(LENGTH).lkey(mr.lkey());
    }

    private void export() {
        ring = DeviceRing.export(qp);
        ring.check(1, 1);
    }

    private LaneJob job(int operation, int threads, int count, int batch) {
        return new LaneJob(operation, threads, count, batch)
                .memory(mr.addr(), mr.lkey(), mr.addr() + TARGET, mr.rkey(), LENGTH, HALF / LENGTH);
    }

    private void writes(int threads, int count, int batch, int unsignaled) {
        export();
        LaneJob job = job(WrOpcode.RDMA_WRITE, threads, count, batch);
        job.unsignaled(unsignaled);
        long before = Simulator.device_sim_count(Simulator.SENDS);
        lanes.run(ring, job);
        job.requireAll(ring);
        requireCopied();
        Check.equal((long) threads * count, Simulator.device_sim_count(Simulator.SENDS) - before, "requests");
    }

    private void requireCopied() {
        for (int i = 0; i < HALF; i += Integer.BYTES) {
            Check.equal(memory.getInt(i), memory.getInt(TARGET + i), "at " + i);
        }
    }

    /** The same with a thread of Java that rings. */
    private void proxy() {
        export();
        try (CpuProxy proxy = new CpuProxy()) {
            proxy.add(ring);
            LaneJob job = job(WrOpcode.RDMA_WRITE, 4, 5_000, 2);
            lanes.run(ring, job);
            job.requireAll(ring);
            proxy.remove(ring);
        }
        requireCopied();
    }

    /** All lanes are threads of one warp. */
    private void warp() {
        export();
        LaneJob job = job(WrOpcode.RDMA_WRITE, 32, 500, 1);
        lanes.runWarp(ring, job);
        job.requireAll(ring);
        requireCopied();
    }

    private void speed() {
        export();
        measure("the lane rings");
    }

    private void speedByProxy() {
        export();
        try (CpuProxy proxy = new CpuProxy()) {
            proxy.add(ring);
            measure("the proxy rings");
            proxy.remove(ring);
        }
    }

    /** Measures, and verifies what was written meanwhile. */
    private void measure(String bell) {
        String where = Lanes.onGpu() ? "GPU" : "CPU thread";
        turns(where, bell);
        rates(where, bell);
        requireCopied();
    }

    private void turns(String where, String bell) {
        LaneJob job = job(WrOpcode.RDMA_WRITE, 1, TURNS, 1);
        long nanos = lanes.turns(ring, job);
        Check.equal((long) TURNS, job.completed(), "round trips");
        Check.equal(0L, job.failed(), "failed");
        System.out.printf(
                "%-10s %d lane(s)  %-16s %8.2f us from post to completion%n", where, 1, bell, nanos / 1e3 / TURNS);
    }

    private void rates(String where, String bell) {
        for (int threads : new int[] {1, 8}) {
            for (int batch : new int[] {1, 8}) {
                LaneJob job = job(WrOpcode.RDMA_WRITE, threads, POSTS / threads, batch);
                long start = System.nanoTime();
                lanes.run(ring, job);
                long nanos = System.nanoTime() - start;
                Check.equal(0L, job.late(), "lanes that gave up");
                Check.equal(0L, job.failed(), "failed");
                Check.equal((long) POSTS, job.completed(), "completed");
                System.out.printf(
                        "%-10s %d lane(s)  %-16s %8.0f posts/s, %d at a time%n",
                        where, threads, bell, POSTS / (nanos / 1e9), batch);
            }
        }
    }

    /** A lane that is late with its place holds up the lane behind it. */
    private void late() {
        export();
        LaneJob job = job(WrOpcode.RDMA_WRITE, 1, 2, 1);
        lanes.runLate(ring, null, job);
        job.requireAll(ring);
        for (int i = 0; i < 2 * LENGTH; i += Integer.BYTES) {
            Check.equal(memory.getInt(i), memory.getInt(TARGET + i), "at " + i);
        }
    }

    private void reads() {
        export();
        for (int i = 0; i < HALF; i += Integer.BYTES) {
            memory.putInt(TARGET + i, ~memory.getInt(i));
        }
        LaneJob job = job(WrOpcode.RDMA_READ, 2, 4_096, 1);
        lanes.run(ring, job);
        job.requireAll(ring);
        requireCopied();
    }

    private void atomics() {
        export();
        memory.putLong(TARGET, 0);
        int threads = 4;
        int count = 1_000;
        LaneJob job = job(WrOpcode.ATOMIC_FETCH_AND_ADD, threads, count, 1);
        lanes.run(ring, job);
        job.requireAll(ring);
        long n = (long) threads * count;
        Check.equal(n * (n + 1) / 2, memory.getLong(TARGET), "sum");
    }

    /** The receives are Java's. */
    private void sends() {
        export();
        int count = Mlx5Rig.DEPTH;
        for (int i = 0; i < count; i++) {
            RecvWorkRequest wr = new RecvWorkRequest().wrId(i).sgList(piece(mr.addr() + TARGET + (long) i * LENGTH));
            Check.equal(0, peer.postRecv(wr, new RecvWorkRequest[1]), "postRecv");
        }
        LaneJob job = job(WrOpcode.SEND_WITH_IMM, 1, count, 1);
        lanes.run(ring, job);
        job.requireAll(ring);
        WorkCompletion[] wc = {new WorkCompletion()};
        for (int i = 0; i < count; i++) {
            while (peerCq.poll(1, wc) == 0) {
                Thread.onSpinWait();
            }
            Check.equal(WcStatus.SUCCESS, wc[0].status(), "status");
            Check.equal(i, wc[0].wrId(), "receive");
            Check.equal(i, wc[0].immData(), "immediate data");
            Check.equal(LENGTH, wc[0].byteLen(), "length");
        }
        for (int i = 0; i < count * LENGTH; i += Integer.BYTES) {
            Check.equal(memory.getInt(i), memory.getInt(TARGET + i), "at " + i);
        }
    }

    /** More places in a row than the ring has are never had. */
    private void full() {
        export();
        LaneJob job = job(WrOpcode.RDMA_WRITE, 1, 1_000, 1_000);
        job.nanos(100_000_000);
        lanes.run(ring, job);
        Check.equal(1, job.late(), "lanes that gave up");
        Check.equal(0, job.posted(), "posted");
    }

    private void failed() {
        export();
        LaneJob job = job(WrOpcode.RDMA_WRITE, 2, 100, 1);
        job.rkey(mr.rkey() ^ 0x5a00);
        lanes.run(ring, job);
        Check.equal(0, job.late(), "lanes that gave up");
        Check.equal(200, job.completed(), "completed");
        Check.equal(200, job.failed(), "failed");
        Check.equal(WcStatus.REM_ACCESS_ERR, job.firstStatus(), "status of the first");
    }

    /** Nobody else uses what device code has. */
    private void refused() {
        export();
        SendWorkRequest wr = new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sgList(piece(mr.addr()))
                .remoteAddr(mr.addr() + TARGET)
                .rkey(mr.rkey());
        SendWorkRequest[] bad = new SendWorkRequest[1];
        Check.equal(Errno.EBUSY, qp.postSend(wr, bad), "postSend");
        Check.same(wr, bad[0]);
        Check.equal(-Errno.EBUSY, cq.poll(1, new WorkCompletion[] {new WorkCompletion()}), "poll");
        Check.equal(Errno.EBUSY, cq.reqNotify(false), "reqNotify");
        Check.fails(Errno.EBUSY, "already", () -> DeviceRing.export(qp));
        Check.fails(Errno.EBUSY, "already", () -> DeviceRing.export(cq));
        Check.fails(Errno.EBUSY, "RESET", () -> qp.modify(new QpAttr().qpState(QpState.RESET)));
        Check.fails(Errno.EBUSY, "use another one", () -> pd.createQp(Mlx5Rig.attr(QpType.RC, cq, null)));
        Check.fails(Errno.EBUSY, "DeviceRing", qp::close);
        Check.fails(Errno.EINVAL, "to map", () -> ring.map(5, 0x1000));
        try (CompletionQueue other = context.createCq(16);
                QueuePair ud = pd.createQp(Mlx5Rig.attr(QpType.UD, other, null))) {
            Check.fails(Errno.EOPNOTSUPP, "RC and UC", () -> DeviceRing.export(ud));
            Check.equal(0, other.poll(1, new WorkCompletion[] {new WorkCompletion()}), "poll after a refusal");
        }
    }

    /** A completion queue of two queue pairs stays Java's, and so do both. */
    private void shared() {
        try (QueuePair second = pd.createQp(Mlx5Rig.attr(QpType.RC, cq, null))) {
            Check.require(second.qpNum() != qp.qpNum(), "two queue pairs have one number");
            Check.fails(Errno.EINVAL, "one of its own", () -> DeviceRing.export(qp));
            Check.equal(0, cq.poll(1, new WorkCompletion[] {new WorkCompletion()}), "poll");
        }
        export(); // the other one is gone
    }

    /** The device's side refuses what it does not understand, and so does the host's. */
    private void versions() {
        export();
        Pointer block = new Pointer(ring.address());
        Check.equal(0, check(), "as it is");
        tampered(block, 0, 128, -1);
        tampered(block, 4, 0, -1);
        tampered(block, 8, 2, -2);
        tampered(block, 12, 2, -3);
        tampered(block, 16, 9, -4);
        Check.fails(Errno.EOPNOTSUPP, "newer verbs-device-code", () -> ring.check(2, 1));
        Check.fails(Errno.EOPNOTSUPP, "newer texts", () -> ring.check(0, 1));
        Check.fails(Errno.EOPNOTSUPP, "v4j_mlx5.h", () -> ring.check(1, 2));
    }

    private void tampered(Pointer block, int at, int value, int wanted) {
        int was = block.getInt(at);
        block.setInt(at, value);
        Check.equal(wanted, check(), "check with " + value + " at " + at);
        block.setInt(at, was);
    }

    private int check() {
        return lanes.check(ring);
    }

    /** Device code waits for what arrives. */
    private void arrivals() {
        RecvWorkRequest receive = new RecvWorkRequest().wrId(7).sgList(piece(mr.addr() + TARGET));
        Check.equal(0, peer.postRecv(receive, new RecvWorkRequest[1]), "postRecv");
        ring = DeviceRing.export(peerCq);
        ByteBuffer completion = ByteBuffer.allocateDirect(48).order(ByteOrder.nativeOrder());
        Check.equal(0, lanes.poll(ring, completion), "before");
        SendWorkRequest wr = new SendWorkRequest()
                .opcode(WrOpcode.SEND_WITH_IMM)
                .immData(0x11223344)
                .sgList(piece(mr.addr()));
        Check.equal(0, qp.postSend(wr, new SendWorkRequest[1]), "postSend");
        while (lanes.poll(ring, completion) == 0) {
            Thread.onSpinWait();
        }
        Check.equal(0, completion.getInt(8), "status");
        Check.equal(peer.qpNum(), completion.getInt(16), "queue pair");
        Check.equal(1, completion.getInt(20), "of a receive");
        Check.equal(LENGTH, completion.getInt(24), "length");
        Check.equal(0x11223344, completion.getInt(28), "immediate data");
        Check.equal(1, completion.getInt(32), "has immediate data");
    }

    @Override
    public void close() {
        if (ring != null) {
            ring.close();
        }
        qp.close();
        peer.close();
        mr.close();
        cq.close();
        peerCq.close();
        pd.close();
        context.close();
    }
}
