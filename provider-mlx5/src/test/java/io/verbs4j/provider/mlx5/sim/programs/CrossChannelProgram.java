/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
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
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A program for a simulated device: queue pairs that wait for completion queues and start others. Others wait for the
 * rig's own pair; {@code master} waits and enables, {@code slave} is enabled, and each has a peer. The argument names a
 * case.
 */
public final class CrossChannelProgram implements AutoCloseable {
    private static final long CROSS =
            QpCreateSendOps.CQE_WAIT | QpCreateSendOps.SEND_ENABLE | QpCreateSendOps.RECV_ENABLE;
    private static final int MANAGED = QpCreateFlags.MANAGED_SEND | QpCreateFlags.MANAGED_RECV;
    private static final int ALL = QpCreateFlags.CROSS_CHANNEL | MANAGED;
    private static final int TARGET = 2048;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(4096).order(ByteOrder.nativeOrder());
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private final Mlx5Rig rig;
    private final CompletionQueue masterCq;
    private final CompletionQueue slaveCq;
    private final QueuePair master;
    private final QueuePair masterPeer;
    private final QueuePair slave;
    private final QueuePair slavePeer;

    private CrossChannelProgram(int type) {
        rig = new Mlx5Rig("mlx5_0", "java", type, memory);
        masterCq = rig.context.createCq(256);
        slaveCq = rig.context.createCq(256);
        master = make(attr(masterCq, QpCreateFlags.CROSS_CHANNEL));
        masterPeer = make(attr(masterCq, 0));
        slave = make(attr(slaveCq, MANAGED));
        slavePeer = make(attr(slaveCq, 0));
        connect(master, masterPeer);
        connect(slave, slavePeer);
    }

    public static void main(String... args) {
        switch (args[0]) {
            case "lacking" -> lacking(args[1]);
            case "ring" -> RingSum.run(4);
            case "unreliable" -> {
                waits(QpType.UC);
                waits(QpType.UD);
            }
            default -> run(args[0]);
        }
        Simulator.requireNoViolation();
        Check.require(Simulator.device_sim_check_idle() == 0, Simulator.message());
        System.out.println("done");
    }

    private static void run(String name) {
        if (name.equals("waits")) {
            waits(QpType.RC);
            return;
        }
        try (CrossChannelProgram c = new CrossChannelProgram(QpType.RC)) {
            switch (name) {
                case "told" -> c.told();
                case "sends" -> c.sends();
                case "goesRound" -> c.goesRound();
                case "receives" -> c.receives();
                case "takenBack" -> c.takenBack();
                case "resized" -> c.resized();
                case "refused" -> c.isRefused();
                case "gone" -> c.gone();
                default -> throw new IllegalArgumentException(name);
            }
        }
    }

    // ---- helpers

    private QpInitAttrEx attr(CompletionQueue cq, int flags) {
        QpInitAttr attr = Mlx5Rig.attr(rig.qp.qpType(), cq, null);
        attr.cap().maxSendWr(64);
        return QpInitAttrEx.of(rig.pd, attr).createFlags(flags);
    }

    private QueuePair make(QpInitAttrEx attr) {
        return rig.context.createQpEx(attr);
    }

    private void connect(QueuePair from, QueuePair to) {
        Mlx5Rig.connect(rig.context, from, to.qpNum());
        if (to != from) {
            Mlx5Rig.connect(rig.context, to, from.qpNum());
        }
    }

    private static SendWorkRequest await(long wrId, CompletionQueue cq, int count) {
        return new SendWorkRequest()
                .wrId(wrId)
                .opcode(WrOpcode.CQE_WAIT)
                .sendFlags(SendFlags.SIGNALED)
                .waitCq(cq)
                .waitCount(count);
    }

    private static SendWorkRequest enable(int opcode, long wrId, QueuePair qp, int count) {
        return new SendWorkRequest()
                .wrId(wrId)
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED)
                .enableQp(qp)
                .waitCount(count);
    }

    /** Returns a write of one byte, the number itself. */
    private SendWorkRequest write(int value) {
        memory.put(value, (byte) value);
        return new SendWorkRequest()
                .wrId(value)
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(rig.mr.addr() + TARGET)
                .rkey(rig.mr.rkey())
                .sgList(ScatterGatherElement.of(rig.mr, value, 1));
    }

    private static void post(QueuePair qp, SendWorkRequest wr) {
        assertThat(qp.postSend(wr)).as("%s", wr).isZero();
        Simulator.pump();
    }

    private void completed(CompletionQueue cq, long wrId, int opcode) {
        next(cq, wrId, WcStatus.SUCCESS);
        assertThat(wc[0].opcode()).isEqualTo(opcode);
    }

    private void next(CompletionQueue cq, long wrId, int status) {
        Simulator.pump();
        assertThat(cq.poll(1, wc)).as("completion of %d", wrId).isEqualTo(1);
        assertThat(wc[0].wrId()).isEqualTo(wrId);
        assertThat(WcStatus.toString(wc[0].status())).isEqualTo(WcStatus.toString(status));
    }

    private void nothing(CompletionQueue cq) {
        Simulator.pump();
        assertThat(cq.poll(1, wc)).isZero();
    }

    /** Adds a completion to the queue that others wait for. */
    private void tick() {
        post(rig.qp, new SendWorkRequest().wrId(77).opcode(WrOpcode.NOP).sendFlags(SendFlags.SIGNALED));
    }

    // ---- waiting

    private static void waits(int type) {
        try (CrossChannelProgram c = new CrossChannelProgram(type)) {
            c.waits();
        }
    }

    private void waits() {
        SendWorkRequest behind =
                new SendWorkRequest().wrId(2).opcode(WrOpcode.NOP).sendFlags(SendFlags.SIGNALED);
        post(master, await(1, rig.cq, 2).next(behind));
        tick();
        nothing(masterCq);
        tick();
        completed(masterCq, 1, WcOpcode.CQE_WAIT);
        assertThat(wc[0].byteLen()).isZero();
        completed(masterCq, 2, WcOpcode.NOP);
        tick();
        tick();
        tick();
        post(master, await(3, rig.cq, 2)); // earlier completions count from where the previous wait ended
        completed(masterCq, 3, WcOpcode.CQE_WAIT);
        post(master, await(4, rig.cq, 2).sendFlags(0).next(await(5, rig.cq, 1)));
        nothing(masterCq);
        tick();
        nothing(masterCq);
        tick();
        completed(masterCq, 5, WcOpcode.CQE_WAIT);
    }

    // ---- starting others

    private void sends() {
        post(slave, write(1));
        post(slave, write(2).next(write(3)));
        SendBuilder builder = slave.builder();
        builder.start();
        builder.write(4, SendFlags.SIGNALED, rig.mr.rkey(), rig.mr.addr() + TARGET);
        assertThat(builder.sge(rig.mr.lkey(), rig.mr.addr() + 4, 1).complete()).isZero();
        nothing(slaveCq);
        assertThat(master.postSend(enable(WrOpcode.SEND_ENABLE, 9, slave, 5))).isEqualTo(Errno.EINVAL);
        post(master, enable(WrOpcode.SEND_ENABLE, 10, slave, 1));
        completed(masterCq, 10, WcOpcode.SEND_ENABLE);
        next(slaveCq, 1, WcStatus.SUCCESS);
        nothing(slaveCq);
        post(master, enable(WrOpcode.SEND_ENABLE, 11, slave, 2));
        next(slaveCq, 2, WcStatus.SUCCESS);
        next(slaveCq, 3, WcStatus.SUCCESS);
        nothing(slaveCq);
        assertThat(memory.get(TARGET)).isEqualTo((byte) 3);
        post(master, enable(WrOpcode.SEND_ENABLE, 12, slave, 0)); // all requests
        next(slaveCq, 4, WcStatus.SUCCESS);
        post(master, enable(WrOpcode.SEND_ENABLE, 13, slave, 0)); // no requests
        post(slave, write(5));
        nothing(slaveCq);
        slave.modify(new QpAttr().qpState(QpState.ERR));
        nothing(slaveCq); // the device does not know of the request
        QpWalk.reset(slave);
        QpWalk.reset(slavePeer);
        connect(slave, slavePeer);
        post(slave, write(6).next(write(7)));
        nothing(slaveCq);
        post(master, enable(WrOpcode.SEND_ENABLE, 14, slave, 1)); // counts from the start again
        next(slaveCq, 6, WcStatus.SUCCESS);
        nothing(slaveCq);
        post(master, enable(WrOpcode.SEND_ENABLE, 15, slave, 1));
        next(slaveCq, 7, WcStatus.SUCCESS);
    }

    /** Requests of one and two blocks, past the ring's end and the counter's 16 bits. */
    private void goesRound() {
        for (int i = 0; i < 25_000; i++) {
            int length = i % 3 == 0 ? 1 : 60;
            SendWorkRequest two = write(i & 63).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
            two.sgList()[0].length(length);
            assertThat(slave.postSend(two.next(write(7)))).isZero();
            assertThat(master.postSend(enable(WrOpcode.SEND_ENABLE, i, slave, 1)
                            .sendFlags(0)
                            .next(enable(WrOpcode.SEND_ENABLE, i, slave, 1))))
                    .isZero();
            completed(masterCq, i, WcOpcode.SEND_ENABLE);
            next(slaveCq, i & 63, WcStatus.SUCCESS);
            next(slaveCq, 7, WcStatus.SUCCESS);
        }
    }

    private void receives() {
        for (int i = 0; i < 3; i++) {
            assertThat(slave.postRecv(
                            new RecvWorkRequest().wrId(20 + i).sgList(ScatterGatherElement.of(rig.mr, TARGET, 8))))
                    .isZero();
        }
        for (int i = 0; i < 3; i++) {
            post(slavePeer, new SendWorkRequest().opcode(WrOpcode.SEND).sgList(ScatterGatherElement.of(rig.mr, 0, 8)));
        }
        nothing(slaveCq);
        assertThat(master.postSend(enable(WrOpcode.RECV_ENABLE, 9, slave, 4))).isEqualTo(Errno.EINVAL);
        post(master, enable(WrOpcode.RECV_ENABLE, 10, slave, 1));
        completed(masterCq, 10, WcOpcode.RECV_ENABLE);
        next(slaveCq, 20, WcStatus.SUCCESS);
        nothing(slaveCq);
        post(master, enable(WrOpcode.RECV_ENABLE, 11, slave, 0));
        next(slaveCq, 21, WcStatus.SUCCESS);
        next(slaveCq, 22, WcStatus.SUCCESS);
    }

    // ---- refused requests change nothing

    private void takenBack() {
        SendBuilder builder = master.builder();
        assertThat(slave.postRecv(new RecvWorkRequest().sgList(ScatterGatherElement.of(rig.mr, TARGET, 8))))
                .isZero();
        post(slave, write(1).next(write(2)));
        builder.start();
        builder.cqeWait(1, 0, rig.cq, 3)
                .sendEnable(2, 0, slave, 2)
                .recvEnable(3, 0, slave, 1)
                .cqeWait(4, 0, rig.cq, 0);
        assertThat(builder.complete()).isEqualTo(Errno.EINVAL);
        assertThat(master.postSend(enable(WrOpcode.RECV_ENABLE, 3, slave, 2))).isEqualTo(Errno.EINVAL);
        builder.start();
        builder.sendEnable(5, SendFlags.SIGNALED, slave, 1)
                .recvEnable(6, SendFlags.SIGNALED, slave, 1)
                .cqeWait(7, SendFlags.SIGNALED, rig.cq, 1);
        assertThat(builder.complete()).isZero();
        completed(masterCq, 5, WcOpcode.SEND_ENABLE);
        completed(masterCq, 6, WcOpcode.RECV_ENABLE);
        next(slaveCq, 1, WcStatus.SUCCESS);
        nothing(slaveCq);
        nothing(masterCq);
        tick();
        completed(masterCq, 7, WcOpcode.CQE_WAIT);
        // Requests of a list before the invalid one are posted.
        assertThat(master.postSend(await(8, rig.cq, 1).next(await(9, rig.cq, -1))))
                .isEqualTo(Errno.EINVAL);
        tick();
        completed(masterCq, 8, WcOpcode.CQE_WAIT);
    }

    /** The device sees the place where a queue was resized as a completion. */
    private void resized() {
        int tooMany = rig.context.queryDevice().maxCqe() + 1;
        refused(Errno.EINVAL, "resize_cq", () -> rig.cq.resize(tooMany)); // changes nothing
        rig.cq.resize(500);
        post(master, await(1, rig.cq, 1));
        nothing(masterCq);
        tick();
        completed(masterCq, 1, WcOpcode.CQE_WAIT);
        refused(Errno.EBUSY, "CQE_WAIT", () -> rig.cq.resize(2000));
        assertThat(rig.cq.poll(1, wc)).isEqualTo(1);
    }

    // ---- unsupported requests

    private void told() {
        DeviceAttrEx attr = rig.context.queryDeviceEx();
        assertThat(attr.qpCreateFlags() & ALL).isEqualTo(ALL);
        assertThat(attr.sendOpsRc() & attr.sendOpsUc() & attr.sendOpsUd() & CROSS)
                .isEqualTo(CROSS);
        assertThat(attr.sendOpsXrcSend() & CROSS).isZero();
        make(attr(masterCq, QpCreateFlags.CROSS_CHANNEL | QpCreateFlags.LOW_LATENCY)
                        .sendOpsFlags(CROSS))
                .close();
        try (QueuePair lacks = make(attr(masterCq, MANAGED).sendOpsFlags(CROSS))) {
            connect(lacks, lacks);
            assertThat(lacks.postSend(await(1, rig.cq, 1))).isEqualTo(Errno.EOPNOTSUPP);
        }
        refused(Errno.EOPNOTSUPP, "supports only", () -> make(attr(masterCq, 1 << 6)));
        try (SharedReceiveQueue srq = rig.pd.createSrq(
                        new SrqInitAttr().attr(new SrqAttr().maxWr(4).maxSge(1)));
                QueuePair qp = make(QpInitAttrEx.of(rig.pd, Mlx5Rig.attr(QpType.RC, masterCq, srq))
                        .createFlags(QpCreateFlags.CROSS_CHANNEL))) {
            assertThat(qp.qpNum()).isNotEqualTo(master.qpNum());
            refused(
                    Errno.EINVAL,
                    "MANAGED_RECV",
                    () -> make(QpInitAttrEx.of(rig.pd, Mlx5Rig.attr(QpType.RC, masterCq, srq))
                            .createFlags(QpCreateFlags.MANAGED_RECV)));
        }
        for (int i = 0; i < 100; i++) { // nothing remains of them
            make(attr(masterCq, ALL)).close();
        }
    }

    private void isRefused(QueuePair qp, SendWorkRequest wr, int errno, String why) {
        assertThat(qp.postSend(wr)).isEqualTo(errno);
        assertThat(qp.explain(wr)).contains(why);
        nothing(masterCq);
    }

    private void isRefused() {
        int sends = WrOpcode.SEND_ENABLE;
        int receives = WrOpcode.RECV_ENABLE;
        isRefused(master, await(1, null, 1), Errno.EINVAL, "waitCq is null");
        isRefused(master, await(1, rig.cq, 0), Errno.EINVAL, "waitCount is 0");
        isRefused(master, await(1, rig.cq, 1).sgList(ScatterGatherElement.of(rig.mr, 0, 1)), Errno.EINVAL, "no data");
        isRefused(master, enable(sends, 1, null, 1), Errno.EINVAL, "enableQp is null");
        isRefused(master, enable(sends, 1, slave, -1), Errno.EINVAL, "waitCount is -1");
        isRefused(master, enable(sends, 1, slavePeer, 0), Errno.EINVAL, "MANAGED_SEND");
        isRefused(master, enable(receives, 1, slavePeer, 0), Errno.EINVAL, "MANAGED_RECV");
        isRefused(slave, await(1, rig.cq, 1), Errno.EOPNOTSUPP, "supports only");
        isRefused(rig.qp, enable(sends, 1, slave, 0), Errno.EOPNOTSUPP, "supports only");
        assertThat(master.explain(await(1, rig.cq, 1))).isNull();
        assertThat(master.explain(enable(sends, 1, slave, 0))).isNull();
        assertThat(master.postSend(await(1, rig.cq, 1 << 23))).isEqualTo(Errno.EINVAL);
        try (Mlx5Rig other = new Mlx5Rig("mlx5_0", "java", QpType.RC, memory)) {
            isRefused(master, await(1, other.cq, 1), Errno.EINVAL, "of this context");
            isRefused(master, enable(sends, 1, other.qp, 0), Errno.EINVAL, "of this context");
        }
        slave.close();
        isRefused(master, enable(sends, 1, slave, 0), Errno.EINVAL, "open");
        CompletionQueue closed = rig.context.createCq(1);
        closed.close();
        isRefused(master, await(1, closed, 1), Errno.EINVAL, "open");
    }

    /**
     * Waiting for, or starting, an object that is gone fails the request. An error flushes a waiting queue pair, and
     * RESET makes it forget the wait.
     */
    private void gone() {
        CompletionQueue never = rig.context.createCq(1);
        post(slave, write(1));
        post(
                master,
                await(1, rig.cq, 1)
                        .next(enable(WrOpcode.SEND_ENABLE, 2, slave, 1).next(write(3))));
        slave.close();
        tick();
        next(masterCq, 1, WcStatus.SUCCESS);
        next(masterCq, 2, WcStatus.LOC_QP_OP_ERR);
        next(masterCq, 3, WcStatus.WR_FLUSH_ERR);
        again();
        post(master, await(4, rig.cq, 1).next(await(5, never, 1)));
        never.close();
        nothing(masterCq);
        tick();
        next(masterCq, 4, WcStatus.SUCCESS);
        next(masterCq, 5, WcStatus.LOC_QP_OP_ERR);
        again();
        post(master, await(6, rig.cq, 1));
        master.modify(new QpAttr().qpState(QpState.ERR));
        next(masterCq, 6, WcStatus.WR_FLUSH_ERR);
        again();
        post(master, await(7, rig.cq, 1));
        again();
        nothing(masterCq);
        post(master, write(8));
        next(masterCq, 8, WcStatus.SUCCESS);
    }

    private void again() {
        QpWalk.reset(master);
        QpWalk.reset(masterPeer);
        connect(master, masterPeer);
    }

    /** A device without cross channel announces none, and refuses to create such queue pairs. */
    private static void lacking(String path) {
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", path, QpType.RC, ByteBuffer.allocateDirect(64))) {
            DeviceAttrEx attr = rig.context.queryDeviceEx();
            assertThat(attr.qpCreateFlags() & ALL).isZero();
            assertThat(attr.sendOpsRc() & CROSS).isZero();
            assertThat(rig.qp.postSend(await(1, rig.cq, 1))).isEqualTo(Errno.EOPNOTSUPP);
            refused(
                    Errno.EOPNOTSUPP,
                    "CROSS_CHANNEL",
                    () -> rig.context.createQpEx(QpInitAttrEx.of(rig.pd, Mlx5Rig.attr(QpType.RC, rig.cq, null))
                            .createFlags(QpCreateFlags.CROSS_CHANNEL)));
        }
    }

    @Override
    public void close() {
        slave.close();
        slavePeer.close();
        master.close();
        masterPeer.close();
        masterCq.close();
        slaveCq.close();
        rig.close();
    }
}
