/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.devicecode.CpuProxy;
import io.verbs4j.devicecode.DeviceCode;
import io.verbs4j.devicecode.DevicePeer;
import io.verbs4j.devicecode.DeviceRing;
import io.verbs4j.devicecode.lanes.LaneJob;
import io.verbs4j.devicecode.lanes.Lanes;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Lanes on CPU threads use a queue pair of a simulated EFA device. Arguments: a case; then, for a mutant, a piece of
 * the texts and what replaces it.
 */
public final class DeviceCodeProgram implements AutoCloseable {
    private static final int LENGTH = 256;
    private static final int PIECES = EfaRig.SIZE / LENGTH;
    private static final int MUTANT_SECONDS = 3;

    private final EfaRig rig;
    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final QueuePair qp;
    private final Lanes lanes;
    private final DevicePeer to;
    private final boolean mutant;
    private DeviceRing ring;

    private DeviceCodeProgram(int type, Map<String, String> edits) throws Exception {
        mutant = !edits.isEmpty();
        rig = new EfaRig(type);
        sends = rig.context.createCq(64);
        receives = rig.context.createCq(64);
        qp = rig.pd.createQp(rig.attr(type).sendCq(sends).recvCq(receives));
        EfaRig.ready(qp);
        lanes = Lanes.of(DeviceCode.of(rig.context), edits);
        to = DevicePeer.of(rig.ah, rig.peer.qpNum(), EfaRig.QKEY);
        rig.memory.order(ByteOrder.nativeOrder());
        for (int i = 0; i < EfaRig.SIZE; i += Integer.BYTES) {
            rig.memory.putInt(i, i * 0x9e3779b1);
        }
    }

    public static void main(String... args) {
        Simulator.device_sim_mode(Simulator.THREAD);
        Map<String, String> edits = args.length > 2 ? Map.of(args[1], args[2]) : Map.of();
        Cases.run(args[0], name -> {
            int type = name.equals("datagrams") ? QpType.UD : QpType.DRIVER;
            try (DeviceCodeProgram program = new DeviceCodeProgram(type, edits)) {
                program.run(name);
            }
            Simulator.requireNoViolation();
        });
    }

    private void run(String name) {
        switch (name) {
            case "one" -> writes(1, 4_000, 1);
            case "batches" -> writes(1, 4_000, 5);
            case "eight" -> writes(8, 1_000, 1);
            case "eightInBatches" -> writes(8, 1_000, 3);
            case "anyOrder" -> anyOrder();
            case "proxy" -> proxy();
            case "late" -> late();
            case "reads" -> reads();
            case "datagrams", "messages" -> messages(name.equals("datagrams") ? 40 : 0);
            case "full" -> full(1_000);
            case "limit" -> full(EfaRig.DEPTH); // there is room for as many, but a doorbell announces fewer
            case "failed" -> failed();
            case "refused" -> refused();
            case "atomics" -> atomics();
            case "arrivals" -> arrivals();
            default -> throw new IllegalArgumentException(name);
        }
    }

    private void export() {
        ring = DeviceRing.export(qp);
        ring.check(1, 2);
    }

    private LaneJob job(int operation, int threads, int count, int batch) {
        LaneJob job = new LaneJob(operation, threads, count, batch)
                .memory(rig.mr.addr(), rig.mr.lkey(), rig.mr.addr() + EfaRig.SIZE, rig.mr.rkey(), LENGTH, PIECES);
        return mutant ? job.nanos(TimeUnit.SECONDS.toNanos(MUTANT_SECONDS)) : job;
    }

    private void writes(int threads, int count, int batch) {
        export();
        LaneJob job = job(WrOpcode.RDMA_WRITE, threads, count, batch);
        lanes.run(ring, to, job);
        job.requireAll(ring);
        requireCopied(0, EfaRig.SIZE);
    }

    private void requireCopied(int offset, int length) {
        for (int i = 0; i < length; i += Integer.BYTES) {
            Check.equal(rig.memory.getInt(i), rig.memory.getInt(EfaRig.SIZE + offset + i), "at " + i);
        }
    }

    /** Completions come in another order than their requests. */
    private void anyOrder() {
        Simulator.device_sim_reorder(8, 7);
        writes(2, 2_000, 2);
        Simulator.device_sim_reorder(0, 0);
    }

    private void proxy() {
        export();
        try (CpuProxy proxy = new CpuProxy()) {
            proxy.add(ring);
            LaneJob job = job(WrOpcode.RDMA_WRITE, 4, 1_000, 2);
            lanes.run(ring, to, job);
            job.requireAll(ring);
            proxy.remove(ring);
        }
        requireCopied(0, EfaRig.SIZE);
    }

    private void late() {
        export();
        LaneJob job = job(WrOpcode.RDMA_WRITE, 1, 2, 1);
        lanes.runLate(ring, to, job);
        job.requireAll(ring);
        requireCopied(0, 2 * LENGTH);
    }

    private void reads() {
        export();
        for (int i = 0; i < EfaRig.SIZE; i += Integer.BYTES) {
            rig.memory.putInt(EfaRig.SIZE + i, ~rig.memory.getInt(i));
        }
        LaneJob job = job(WrOpcode.RDMA_READ, 2, 1_000, 1);
        lanes.run(ring, to, job);
        job.requireAll(ring);
        requireCopied(0, EfaRig.SIZE);
    }

    private void messages(int offset) {
        export();
        int count = EfaRig.DEPTH;
        for (int i = 0; i < count; i++) {
            rig.receive(i, rig.at(EfaRig.SIZE + i * 1024, 1024));
        }
        LaneJob job = job(WrOpcode.SEND_WITH_IMM, 1, count, 1);
        lanes.run(ring, to, job);
        job.requireAll(ring);
        for (int i = 0; i < count; i++) {
            WorkCompletion wc = next(rig.receives);
            Check.equal(WcStatus.SUCCESS, wc.status(), "status");
            Check.equal(i, wc.wrId(), "receive");
            Check.equal(i, wc.immData(), "immediate data");
            Check.equal(LENGTH + offset, wc.byteLen(), "length");
            for (int k = 0; k < LENGTH; k += Integer.BYTES) {
                Check.equal(
                        rig.memory.getInt(i * LENGTH + k),
                        rig.memory.getInt(EfaRig.SIZE + i * 1024 + offset + k),
                        "message " + i + " at " + k);
            }
        }
    }

    private static WorkCompletion next(CompletionQueue cq) {
        WorkCompletion[] wc = {new WorkCompletion()};
        while (cq.poll(1, wc) == 0) {
            Thread.onSpinWait();
        }
        return wc[0];
    }

    /** No lane gets more places at once than the device takes. */
    private void full(int batch) {
        export();
        LaneJob job = job(WrOpcode.RDMA_WRITE, 1, batch, batch).nanos(TimeUnit.MILLISECONDS.toNanos(100));
        lanes.run(ring, to, job);
        Check.equal(1, job.late(), "lanes that gave up");
        Check.equal(0, job.posted(), "posted");
    }

    /** A failed request leaves an SRD queue pair as it is. */
    private void failed() {
        export();
        LaneJob wrong = job(WrOpcode.RDMA_WRITE, 2, 100, 1).rkey(rig.mr.rkey() ^ 0x5a00);
        lanes.run(ring, to, wrong);
        Check.equal(0, wrong.late(), "lanes that gave up");
        Check.equal(200, wrong.completed(), "completed");
        Check.equal(200, wrong.failed(), "failed");
        Check.equal(WcStatus.REM_ACCESS_ERR, wrong.firstStatus(), "status of the first");
    }

    /** EFA has no atomic operations: the lanes are told so before the device sees a descriptor. */
    private void atomics() {
        export();
        LaneJob job = job(WrOpcode.ATOMIC_FETCH_AND_ADD, 1, 1, 1).nanos(TimeUnit.MILLISECONDS.toNanos(100));
        lanes.run(ring, to, job);
        Check.equal(1, job.unsupported(), "refused");
    }

    private void refused() {
        export();
        SendWorkRequest wr = rig.send(1, rig.at(0, 8));
        SendWorkRequest[] bad = new SendWorkRequest[1];
        Check.equal(Errno.EBUSY, qp.postSend(wr, bad), "postSend");
        Check.same(wr, bad[0]);
        Check.equal(-Errno.EBUSY, sends.poll(1, new WorkCompletion[] {new WorkCompletion()}), "poll");
        Check.fails(Errno.EBUSY, "already", () -> DeviceRing.export(qp));
        Check.fails(Errno.EBUSY, "already", () -> DeviceRing.export(sends));
        Check.fails(Errno.EBUSY, "RESET", () -> qp.modify(new QpAttr().qpState(QpState.RESET)));
        Check.fails(
                Errno.EBUSY,
                "use another one",
                () -> rig.pd.createQp(rig.attr(QpType.DRIVER).sendCq(sends)));
        Check.fails(Errno.EBUSY, "DeviceRing", qp::close);
        Check.fails(Errno.EINVAL, "one of its own", () -> DeviceRing.export(rig.qp)); // shares its queue with its peer
        rig.post(rig.send(2, rig.at(0, 8)).remoteQpn(rig.peer.qpNum()));
    }

    /** Device code waits for what arrives. */
    private void arrivals() {
        rig.receive(7, rig.at(EfaRig.SIZE, 1024));
        ring = DeviceRing.export(rig.receives);
        ByteBuffer completion = ByteBuffer.allocateDirect(48).order(ByteOrder.nativeOrder());
        Check.equal(0, lanes.poll(ring, completion), "before");
        SendWorkRequest wr =
                rig.send(1, rig.at(0, LENGTH)).opcode(WrOpcode.SEND_WITH_IMM).immData(0x11223344);
        rig.post(wr);
        while (lanes.poll(ring, completion) == 0) {
            Thread.onSpinWait();
        }
        Check.equal(0, completion.getInt(8), "status");
        Check.equal(rig.peer.qpNum(), completion.getInt(16), "queue pair");
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
        sends.close();
        receives.close();
        rig.close();
    }
}
