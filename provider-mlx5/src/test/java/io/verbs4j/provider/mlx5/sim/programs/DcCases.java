/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.Mtu;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.AllocatorExample;
import io.verbs4j.mlx5dv.DcExample;
import io.verbs4j.mlx5dv.Mlx5ContextMask;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Mlx5QpInitAttr;
import io.verbs4j.mlx5dv.Mlx5QpRings;
import io.verbs4j.mlx5dv.Mlx5SendOps;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.sim.Simulator;

/** Cases of {@link DirectVerbsProgram} about DC. */
final class DcCases {
    private static final int WQE_SEND = 0x0a;

    private DcCases() {}

    static void states(Context context) {
        try (DcRig w = new DcRig(context)) {
            Mlx5Dv dv = w.dv;
            assertThat(w.target.qpType()).isEqualTo(QpType.DRIVER);
            assertThat(w.initiator.qpType()).isEqualTo(QpType.DRIVER);
            assertThat(w.target.srq()).isSameAs(w.srq);
            assertThat(w.target.qpNum()).as("before RTR").isZero();
            assertThat(w.target.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.RESET);
            QpAttr init = DcRig.targetInit();
            refused(Errno.EINVAL, "RESET to RTR", () -> w.target.modify(w.targetRtr()));
            refused(
                    Errno.EINVAL,
                    "missing",
                    () -> w.target.modify(new QpAttr().qpState(QpState.INIT).portNum(1)));
            refused(Errno.EINVAL, "surplus ACCESS_FLAGS", () -> w.initiator.modify(init));
            refused(Errno.EINVAL, "null", () -> w.target.modify(null));
            w.ready();
            assertThat(w.target.qpNum()).isPositive().isNotEqualTo(w.initiator.qpNum());
            QpAttr told = w.target.query(QpAttrMask.STATE | QpAttrMask.PATH_MTU | QpAttrMask.CAP);
            assertThat(told.qpState()).isEqualTo(QpState.RTR);
            assertThat(told.pathMtu()).isEqualTo(Mtu.MTU_1024);
            refused(Errno.EINVAL, "and is closed", () -> w.target.modify(new QpAttr().qpState(QpState.ERR)));
            assertThat(w.initiator.query(QpAttrMask.STATE).qpState()).isEqualTo(QpState.RTS);
            w.initiator.modify(new QpAttr().minRnrTimer(5));
            w.initiator.modify(new QpAttr().qpState(QpState.ERR));
            w.initiator.modify(new QpAttr().qpState(QpState.RESET));
            w.ready(w.initiator);
            refused(Errno.EINVAL, "no rings", () -> dv.queuePair(w.target, 0));
            assertThat(dv.queuePair(w.initiator, 0).sq().wqeCount()).isPositive();
            refused(Errno.EBUSY, "queue pair", w.srq::close);
            refused(Errno.EBUSY, "queue pair", w.cq::close);
            refused(Errno.EBUSY, "queue pair", w.targetCq::close);
        }
    }

    static void refusals(Context context) {
        try (DcRig w = new DcRig(context)) {
            Mlx5Dv dv = w.dv;
            Mlx5QpInitAttr target = Mlx5QpInitAttr.target(1);
            Mlx5QpInitAttr initiator = Mlx5QpInitAttr.initiator();
            refused(Errno.EINVAL, "DRIVER", () -> dv.createQp(w.target().qpType(QpType.RC), target));
            refused(Errno.EINVAL, "which end", () -> dv.createQp(w.target(), new Mlx5QpInitAttr()));
            refused(Errno.EINVAL, "Mlx5DcType", () -> dv.createQp(w.target(), new Mlx5QpInitAttr().dc(3, 0)));
            refused(Errno.EINVAL, "set srq", () -> dv.createQp(w.target().srq(null), target));
            refused(
                    Errno.EINVAL,
                    "leave srq out",
                    () -> dv.createQp(w.initiator().srq(w.srq), initiator));
            refused(Errno.EINVAL, "no queues", () -> dv.createQp(w.target().cap(new QpCap().maxSendWr(1)), target));
            refused(
                    Errno.EINVAL,
                    "no receive queue",
                    () -> dv.createQp(w.initiator().cap(new QpCap().maxRecvWr(1)), initiator));
            refused(
                    Errno.EINVAL,
                    "sends nothing",
                    () -> dv.createQp(w.target(), Mlx5QpInitAttr.target(1).sendOpsFlags(Mlx5SendOps.RAW_WQE)));
            refused(
                    Errno.EOPNOTSUPP,
                    "the driver",
                    () -> dv.createQp(
                            w.initiator(), Mlx5QpInitAttr.initiator().dciStreams(6, 1))); // more than the device has
            if (dv.queryDevice(Mlx5ContextMask.DCI_STREAMS).dciStreams().maxLogConcurrent()
                    > 0) { // supported by the release
                try (QueuePair streams =
                        dv.createQp(w.initiator(), Mlx5QpInitAttr.initiator().dciStreams(2, 1))) {
                    assertThat(streams.qpNum()).isPositive();
                    refused(Errno.EOPNOTSUPP, "", () -> dv.resetDciStream(streams, 0)); // not before RTS
                }
            }
            refused(Errno.EINVAL, "recvCq", () -> dv.createQp(w.initiator().recvCq(null), initiator));
            w.ready();
            SendWorkRequest wr =
                    new SendWorkRequest().opcode(WrOpcode.SEND).sgList(ScatterGatherElement.of(w.mr, 0, 8));
            SendWorkRequest[] bad = {null};
            assertThat(w.initiator.postSend(wr, bad)).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(bad[0]).isSameAs(wr);
            assertThat(w.target.postSend(wr)).isEqualTo(Errno.EINVAL);
            assertThat(w.target.postRecv(new RecvWorkRequest())).isEqualTo(Errno.EINVAL);
            assertThat(w.initiator.postRecv(new RecvWorkRequest())).isEqualTo(Errno.EINVAL);
            w.target.close();
            refused(Errno.EINVAL, "closed", () -> w.target.modify(DcRig.targetInit()));
            assertThat(w.target.postSend(wr)).isEqualTo(Errno.EINVAL);
        }
    }

    /** Runs the example of the documentation. */
    static void examples(Context context) {
        try (DcRig w = new DcRig(context);
                QueuePair target =
                        DcExample.target(context, w.pd, w.targetCq, w.srq, Mlx5Rig.path(context), DcRig.KEY);
                QueuePair initiator = DcExample.initiator(context, w.pd, w.cq);
                CompletionQueue cq = AllocatorExample.queue(context)) {
            assertThat(target.qpNum()).isPositive();
            assertThat(w.srq.postRecv(new RecvWorkRequest().sgList(ScatterGatherElement.of(w.mr, DcRig.TARGET_AT, 64))))
                    .isZero();
            SendBuilder builder = initiator.builder();
            assertThat(DcExample.send(builder, 9, w.ah, target.qpNum(), DcRig.KEY, w.mr, 64))
                    .isZero();
            Simulator.device_sim_pump(-1);
            WorkCompletion[] wc = {new WorkCompletion()};
            assertThat(w.cq.poll(1, wc)).isEqualTo(1);
            assertThat(wc[0].wrId()).isEqualTo(9);
            assertThat(wc[0].status()).isEqualTo(WcStatus.SUCCESS);
            assertThat(w.dv.bufferAllocator()).isNotNull();
            assertThat(w.dv.completionQueue(cq).buf() % 4096).isZero();
        }
    }

    /** Writes a request by hand into the ring that libmlx5 reports; its message arrives at the target. */
    static void byHand(Context context) {
        try (DcRig w = new DcRig(context)) {
            w.ready();
            for (int i = 0; i < 100; i++) {
                w.memory.put(i, (byte) (i + 1));
            }
            assertThat(w.srq.postRecv(
                            new RecvWorkRequest().wrId(77).sgList(ScatterGatherElement.of(w.mr, DcRig.TARGET_AT, 200))))
                    .isZero();
            Mlx5QpRings rings = w.dv.queuePair(w.initiator, 0);
            long at = rings.sq().buf();
            NativeMemory.putNetInt(at, WQE_SEND); // the first element
            NativeMemory.putNetInt(at + 4, w.initiator.qpNum() << 8 | 5); // 5 times 16 bytes
            NativeMemory.putInt(at + 8, 0);
            NativeMemory.putNetInt(at + 12, 0);
            byte[] vector = w.dv.addressVector(w.ah);
            for (int i = 0; i < vector.length; i++) {
                NativeMemory.putByte(at + 16 + i, vector[i]);
            }
            NativeMemory.putNetLong(at + 16, DcRig.KEY);
            NativeMemory.putNetInt(at + 24, w.target.qpNum() | 1 << 31);
            NativeMemory.putNetInt(at + 64, 100);
            NativeMemory.putNetInt(at + 68, w.mr.lkey());
            NativeMemory.putNetLong(at + 72, w.mr.addr());
            NativeMemory.fullFence();
            NativeMemory.putNetInt(rings.dbrec() + 4, 2); // in blocks
            NativeMemory.fullFence();
            NativeMemory.putLongRelease(rings.bfReg(), NativeMemory.getLong(at));
            Simulator.device_sim_pump(-1);
            WorkCompletion[] wc = {new WorkCompletion()};
            assertThat(w.targetCq.poll(1, wc)).isEqualTo(1);
            assertThat(wc[0].status()).isEqualTo(WcStatus.SUCCESS);
            assertThat(wc[0].opcode()).isEqualTo(WcOpcode.RECV);
            assertThat(wc[0].wrId()).isEqualTo(77);
            assertThat(wc[0].byteLen()).isEqualTo(100);
            assertThat(wc[0].qpNum()).isEqualTo(w.target.qpNum());
            assertThat(w.cq.poll(1, wc)).isZero(); // the request was not signaled
            for (int i = 0; i < 100; i++) {
                assertThat(w.memory.get(DcRig.TARGET_AT + i)).isEqualTo((byte) (i + 1));
            }
        }
    }
}
