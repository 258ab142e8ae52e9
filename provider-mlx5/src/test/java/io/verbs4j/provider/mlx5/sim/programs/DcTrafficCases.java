/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Mlx5QpInitAttr;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteOrder;
import java.util.Random;

/**
 * Cases of {@link DirectVerbsProgram} that send through DC: Java writes the requests and reads the completions of both
 * ends.
 */
final class DcTrafficCases {
    private static final WorkCompletion[] WC = {new WorkCompletion()};

    private DcTrafficCases() {}

    private static void receive(DcRig w, long id, int length) {
        assertThat(w.srq.postRecv(
                        new RecvWorkRequest().wrId(id).sgList(ScatterGatherElement.of(w.mr, DcRig.TARGET_AT, length))))
                .isZero();
    }

    private static WorkCompletion sent(DcRig w, long id, int status) {
        Simulator.device_sim_pump(-1);
        assertThat(w.cq.poll(1, WC)).isEqualTo(1);
        assertThat(WC[0].wrId()).isEqualTo(id);
        assertThat(WC[0].status()).as("%s", WcStatus.toString(WC[0].status())).isEqualTo(status);
        return WC[0];
    }

    private static WorkCompletion received(DcRig w, long id) {
        Simulator.device_sim_pump(-1);
        assertThat(w.targetCq.poll(1, WC)).isEqualTo(1);
        assertThat(WC[0].status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(WC[0].wrId()).isEqualTo(id);
        return WC[0];
    }

    private static void fill(DcRig w, int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        w.memory.duplicate().put(0, bytes);
    }

    private static void same(DcRig w, int from, int to, int length) {
        assertThat(w.memory.slice(to, length)).isEqualTo(w.memory.slice(from, length));
    }

    private static SendBuilder to(DcRig w, SendBuilder b) {
        return Mlx5Dv.dcAddr(b, w.ah, w.target.qpNum(), DcRig.KEY);
    }

    private static long there(DcRig w) {
        return w.mr.addr() + DcRig.TARGET_AT;
    }

    static void all(Context context) {
        try (DcRig w = new DcRig(context)) {
            w.ready();
            SendBuilder b = w.initiator.builder();
            w.memory.order(ByteOrder.nativeOrder());

            fill(w, 60_000, 1);
            receive(w, 1, 60_000);
            b.start();
            to(w, b.send(2, SendFlags.SIGNALED)).sge(w.mr.lkey(), w.mr.addr(), 60_000);
            assertThat(b.complete()).isZero();
            assertThat(sent(w, 2, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.SEND);
            WorkCompletion wc = received(w, 1);
            assertThat(wc.byteLen()).isEqualTo(60_000);
            assertThat(wc.qpNum()).isEqualTo(w.target.qpNum());
            same(w, 0, DcRig.TARGET_AT, 60_000);

            receive(w, 3, 64);
            b.start();
            to(w, b.sendWithImm(4, SendFlags.SIGNALED, 77)).inlineData(w.mr.lkey(), w.mr.addr() + 100, 33);
            assertThat(b.complete()).isZero();
            sent(w, 4, WcStatus.SUCCESS);
            wc = received(w, 3);
            assertThat(wc.wcFlags() & WcFlags.WITH_IMM).isNotZero();
            assertThat(wc.immData()).isEqualTo(77);
            same(w, 100, DcRig.TARGET_AT, 33);

            fill(w, 50_000, 2);
            b.start();
            to(w, b.write(5, SendFlags.SIGNALED, w.mr.rkey(), there(w))).sge(w.mr.lkey(), w.mr.addr(), 50_000);
            assertThat(b.complete()).isZero();
            assertThat(sent(w, 5, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
            same(w, 0, DcRig.TARGET_AT, 50_000);

            receive(w, 6, 8);
            b.start();
            to(w, b.writeWithImm(7, SendFlags.SIGNALED, w.mr.rkey(), there(w), 5))
                    .sge(w.mr.lkey(), w.mr.addr() + 9, 16);
            assertThat(b.complete()).isZero();
            sent(w, 7, WcStatus.SUCCESS);
            assertThat(received(w, 6).opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
            same(w, 9, DcRig.TARGET_AT, 16);

            b.start();
            to(w, b.read(8, SendFlags.SIGNALED, w.mr.rkey(), there(w))).sge(w.mr.lkey(), w.mr.addr() + 100, 40_000);
            assertThat(b.complete()).isZero();
            assertThat(sent(w, 8, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.RDMA_READ);
            same(w, DcRig.TARGET_AT, 100, 40_000);

            w.memory.putLong(DcRig.TARGET_AT, 40);
            b.start();
            to(w, b.atomicFetchAdd(9, SendFlags.SIGNALED, w.mr.rkey(), there(w), 2))
                    .sge(w.mr.lkey(), w.mr.addr(), 8);
            to(w, b.atomicCompareSwap(10, SendFlags.SIGNALED, w.mr.rkey(), there(w), 42, 7))
                    .sge(w.mr.lkey(), w.mr.addr() + 8, 8);
            assertThat(b.complete()).isZero();
            assertThat(sent(w, 9, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.FETCH_ADD);
            assertThat(sent(w, 10, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.COMP_SWAP);
            assertThat(w.memory.getLong(0)).isEqualTo(40);
            assertThat(w.memory.getLong(8)).isEqualTo(42);
            assertThat(w.memory.getLong(DcRig.TARGET_AT)).isEqualTo(7);
        }
    }

    /** A wrong key stops the initiator, but no other queue pair. */
    static void wrongKey(Context context) {
        try (DcRig w = new DcRig(context);
                QueuePair other = w.dv.createQp(w.initiator(), Mlx5QpInitAttr.initiator())) {
            w.ready();
            w.ready(other);
            receive(w, 1, 64);
            SendBuilder b = w.initiator.builder();
            b.start();
            Mlx5Dv.dcAddr(b.send(2, 0), w.ah, w.target.qpNum(), DcRig.KEY + 1).sge(w.mr.lkey(), w.mr.addr(), 8);
            to(w, b.send(3, SendFlags.SIGNALED)).sge(w.mr.lkey(), w.mr.addr(), 8);
            assertThat(b.complete()).isZero();
            sent(w, 2, WcStatus.REM_ACCESS_ERR);
            sent(w, 3, WcStatus.WR_FLUSH_ERR);
            assertThat(Simulator.device_sim_count(Simulator.KEY_ERRORS)).isEqualTo(1);
            assertThat(w.initiator.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.ERR);
            assertThat(w.target.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.RTR);
            assertThat(w.targetCq.poll(1, WC)).isZero();
            SendBuilder good = other.builder();
            good.start();
            to(w, good.send(4, SendFlags.SIGNALED)).sge(w.mr.lkey(), w.mr.addr(), 8);
            assertThat(good.complete()).isZero();
            sent(w, 4, WcStatus.SUCCESS);
            received(w, 1);
            // The first initiator works again after RESET.
            w.initiator.modify(new io.verbs4j.QpAttr().qpState(QpState.RESET));
            w.ready(w.initiator);
            receive(w, 5, 64);
            b.start();
            to(w, b.send(6, SendFlags.SIGNALED)).sge(w.mr.lkey(), w.mr.addr(), 8);
            assertThat(b.complete()).isZero();
            sent(w, 6, WcStatus.SUCCESS);
            received(w, 5);
        }
    }

    /**
     * Sends from one initiator to many targets in turn, past the end of the ring; some targets are closed meanwhile.
     */
    static void manyTargets(Context context) {
        try (DcRig w = new DcRig(context)) {
            w.ready();
            QueuePair[] targets = new QueuePair[8];
            for (int i = 0; i < targets.length; i++) {
                targets[i] = w.dv.createQp(w.target(), Mlx5QpInitAttr.target(i));
                targets[i].modify(DcRig.targetInit());
                targets[i].modify(w.targetRtr());
            }
            SendBuilder b = w.initiator.builder();
            for (int i = 0; i < 1000; i++) {
                int number = targets[i % 8].qpNum();
                receive(w, i, 256);
                int length = 1 + i % 200;
                fill(w, length, i);
                b.start();
                Mlx5Dv.dcAddr(b.send(i, SendFlags.SIGNALED), w.ah, number, i % 8);
                if (length <= 60) {
                    b.inlineData(w.mr.lkey(), w.mr.addr(), length);
                } else {
                    b.sge(w.mr.lkey(), w.mr.addr(), length - 7).sge(w.mr.lkey(), w.mr.addr() + length - 7, 7);
                }
                assertThat(b.complete()).isZero();
                sent(w, i, WcStatus.SUCCESS);
                assertThat(received(w, i).qpNum()).isEqualTo(number);
                same(w, 0, DcRig.TARGET_AT, length);
            }
            int gone = targets[0].qpNum();
            // Closing a target drops its completions.
            receive(w, 5000, 256);
            b.start();
            Mlx5Dv.dcAddr(b.send(5001, SendFlags.SIGNALED), w.ah, gone, 0).sge(w.mr.lkey(), w.mr.addr(), 8);
            assertThat(b.complete()).isZero();
            sent(w, 5001, WcStatus.SUCCESS);
            targets[0].close();
            assertThat(w.targetCq.poll(1, WC)).isZero();
            b.start();
            Mlx5Dv.dcAddr(b.send(5002, SendFlags.SIGNALED), w.ah, gone, 0).sge(w.mr.lkey(), w.mr.addr(), 8);
            assertThat(b.complete()).isZero();
            sent(w, 5002, WcStatus.RETRY_EXC_ERR);
            for (QueuePair target : targets) {
                target.close();
            }
        }
    }

    /** libmlx5's path has no way to pass a DCI's address, and a work request has no field for it. */
    static void noAddress(Context context) {
        try (DcRig w = new DcRig(context)) {
            w.ready();
            SendBuilder b = w.initiator.builder();
            b.start();
            to(w, b.send(1, SendFlags.SIGNALED)).sge(w.mr.lkey(), w.mr.addr(), 8);
            assertThat(b.complete()).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(b.posted()).isZero();
        }
    }

    /** On Java's path a request without an address, or with a datagram address, is refused with its whole batch. */
    static void wrongAddress(Context context) {
        try (DcRig w = new DcRig(context)) {
            w.ready();
            SendBuilder b = w.initiator.builder();
            b.start();
            to(w, b.send(1, SendFlags.SIGNALED)).sge(w.mr.lkey(), w.mr.addr(), 8);
            b.send(2, SendFlags.SIGNALED).sge(w.mr.lkey(), w.mr.addr(), 8);
            assertThat(b.complete()).isEqualTo(Errno.EINVAL);
            b.start();
            b.send(3, SendFlags.SIGNALED).udAddr(w.ah, w.target.qpNum(), 1).sge(w.mr.lkey(), w.mr.addr(), 8);
            assertThat(b.complete()).isEqualTo(Errno.EINVAL);
            b.start();
            Mlx5Dv.dcAddr(b.send(4, SendFlags.SIGNALED), null, w.target.qpNum(), 1);
            assertThat(b.complete()).isEqualTo(Errno.EINVAL);
            Simulator.device_sim_pump(-1);
            assertThat(w.cq.poll(1, WC)).isZero();
        }
    }
}
