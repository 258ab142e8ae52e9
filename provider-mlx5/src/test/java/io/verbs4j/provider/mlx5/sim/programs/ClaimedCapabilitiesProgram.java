/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.DataInOrderCaps;
import io.verbs4j.DataInOrderFlags;
import io.verbs4j.Errno;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.ValuesEx;
import io.verbs4j.ValuesMask;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Programs for simulated devices that claim every capability: moderated events, limited rates, the clock and the order
 * of data. The arguments are the case and the data path.
 */
public final class ClaimedCapabilitiesProgram {
    private static final int MEGABYTE = 1 << 20;
    private static final int BOTH = DataInOrderCaps.WHOLE_MSG | DataInOrderCaps.ALIGNED_128_BYTES;
    private static final WorkCompletion[] WC = {new WorkCompletion()};

    private ClaimedCapabilitiesProgram() {}

    public static void main(String... args) {
        switch (args[0]) {
            case "moderation" -> moderation(args[1]);
            case "rates" -> rates(args[1]);
            case "clock" -> clock(args[1]);
            case "order" -> order(args[1], Boolean.parseBoolean(args[2]));
            case "efa" -> efa(Boolean.parseBoolean(args[1]));
            default -> throw new IllegalArgumentException(args[0]);
        }
        Simulator.requireNoViolation();
        System.out.println("done " + args[0]);
    }

    private static Mlx5Rig rig(String device, String path, int type) {
        return new Mlx5Rig(device, path, type, ByteBuffer.allocateDirect(2 * MEGABYTE));
    }

    private static void write(Mlx5Rig rig, QueuePair qp, int length) {
        assertThat(qp.postSend(new SendWorkRequest()
                        .opcode(WrOpcode.RDMA_WRITE)
                        .sendFlags(SendFlags.SIGNALED)
                        .remoteAddr(rig.mr.addr() + MEGABYTE)
                        .rkey(rig.mr.rkey())
                        .sgList(ScatterGatherElement.of(rig.mr, 0, length))))
                .isZero();
    }

    // ---- moderated events

    private static void moderation(String path) {
        try (Mlx5Rig rig = rig("mlx5_0", path, QpType.RC);
                CompletionChannel channel = rig.context.createCompChannel();
                CompletionQueue cq = rig.context.createCq(256, null, channel, 0);
                QueuePair qp = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, cq, null));
                QueuePair peer = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, rig.peerCq, null))) {
            Mlx5Rig.connect(rig.context, qp, peer.qpNum());
            Mlx5Rig.connect(rig.context, peer, qp.qpNum());
            assertThat(events(rig, qp, cq, channel, 100)).isEqualTo(100);
            cq.modify(new ModifyCqAttr().cqCount(4).cqPeriod(0));
            assertThat(events(rig, qp, cq, channel, 1000)).isEqualTo(1000 / 4);
            cq.modify(new ModifyCqAttr().cqCount(100).cqPeriod(50));
            cq.reqNotify(false);
            write(rig, qp, 8);
            Simulator.device_sim_pump(1);
            assertThat(channel.getEvent(0, TimeUnit.SECONDS)).isNull();
            long before = Simulator.device_sim_clock();
            Simulator.pump();
            assertThat(channel.getEvent(0, TimeUnit.SECONDS)).isSameAs(cq);
            // The completion arrived in the previous step, whose time is counted at its end.
            assertThat(Simulator.device_sim_clock() - before).isBetween(48_000L, 52_000L);
            assertThat(cq.poll(1, WC)).isOne();
            int max = rig.context.queryDeviceEx().cqModerationMaxCqPeriod();
            refused(Errno.EINVAL, "modify_cq", () -> cq.modify(new ModifyCqAttr().cqPeriod(max + 1)));
            refused(Errno.EINVAL, "mask is 0", () -> cq.modify(new ModifyCqAttr()));
            cq.modify(new ModifyCqAttr().cqCount(0));
            assertThat(events(rig, qp, cq, channel, 10)).isEqualTo(10);
        }
    }

    /** Returns how many events {@code completions} completions cause. */
    private static int events(
            Mlx5Rig rig, QueuePair qp, CompletionQueue cq, CompletionChannel channel, int completions) {
        int events = 0;
        cq.reqNotify(false);
        for (int i = 0; i < completions; i++) {
            write(rig, qp, 8);
            Simulator.pump();
            if (channel.getEvent(0, TimeUnit.SECONDS) != null) {
                events++;
                cq.reqNotify(false);
            }
            assertThat(cq.poll(1, WC)).isOne();
        }
        return events;
    }

    // ---- limited rates

    /** Returns the device time that four writes of 1000 bytes each take, in microseconds; each step takes one more. */
    private static long time(Mlx5Rig rig) {
        long before = Simulator.device_sim_clock();
        for (int i = 0; i < 4; i++) {
            write(rig, rig.qp, 1000);
        }
        Simulator.pump();
        for (int i = 0; i < 4; i++) {
            assertThat(rig.cq.poll(1, WC)).isOne();
        }
        return (Simulator.device_sim_clock() - before) / 1000;
    }

    private static void rates(String path) {
        try (Mlx5Rig rig = rig("mlx5_0", path, QpType.RC)) {
            assertThat(time(rig)).isLessThan(10);
            QpRateLimitAttr bytePerMicrosecond = new QpRateLimitAttr().rateLimit(8000);
            rig.qp.modifyRateLimit(bytePerMicrosecond);
            assertThat(time(rig)).isBetween(3000L, 3010L);
            rig.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(16_000));
            assertThat(time(rig)).isBetween(1500L, 1510L);
            rig.qp.modifyRateLimit(bytePerMicrosecond.maxBurstSz(2000).typicalPktSz(300));
            assertThat(time(rig)).isBetween(1000L, 1010L);
            rig.qp.modifyRateLimit(new QpRateLimitAttr());
            assertThat(time(rig)).isLessThan(10);
            // Out of range by one, and in a wrong state.
            for (int wrong : new int[] {1000, 100_000_003}) {
                refused(
                        Errno.EINVAL,
                        "from 1001 to 100000002",
                        () -> rig.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(wrong)));
            }
            QpWalk.reset(rig.qp);
            refused(Errno.EINVAL, "RESET", () -> rig.qp.modifyRateLimit(new QpRateLimitAttr()));
        }
        try (Mlx5Rig rig = rig("mlx5_0", path, QpType.UC)) {
            refused(
                    Errno.EOPNOTSUPP,
                    "of type UC",
                    () -> rig.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(8000)));
        }
        // The second device has no limit for bursts.
        try (Mlx5Rig rig = rig("mlx5_1", path, QpType.RC)) {
            QpRateLimitAttr limit = new QpRateLimitAttr().rateLimit(8000);
            rig.qp.modifyRateLimit(limit);
            refused(Errno.EOPNOTSUPP, "maxBurstSz", () -> rig.qp.modifyRateLimit(limit.maxBurstSz(2000)));
            refused(
                    Errno.EOPNOTSUPP,
                    "typicalPktSz",
                    () -> rig.qp.modifyRateLimit(limit.maxBurstSz(0).typicalPktSz(300)));
            assertThat(time(rig)).isBetween(3000L, 3010L);
        }
    }

    // ---- the clock

    private static void clock(String path) {
        try (Mlx5Rig rig = rig("mlx5_0", path, QpType.RC)) {
            sameClock(rig.context);
            rig.qp.modifyRateLimit(new QpRateLimitAttr().rateLimit(1001));
            write(rig, rig.qp, MEGABYTE);
            write(rig, rig.qp, MEGABYTE);
            Simulator.pump();
            sameClock(rig.context);
            // Beyond the range of nanoseconds in a struct timespec.
            assertThat(rig.context.queryValues(ValuesMask.RAW_CLOCK).rawClock()).isGreaterThan(8_000_000_000L);
            refused(Errno.EOPNOTSUPP, "none of 0x8", () -> rig.context.queryValues(8));
            refused(Errno.EINVAL, "wanted is 0", () -> rig.context.queryValues(0));
        }
    }

    /** The device's ticks are nanoseconds. */
    private static void sameClock(Context context) {
        ValuesEx both = context.queryValues(ValuesMask.RAW_CLOCK | ValuesMask.HWCLOCK_NS);
        assertThat(both.compMask()).isEqualTo(ValuesMask.RAW_CLOCK | ValuesMask.HWCLOCK_NS);
        assertThat(both.rawClock()).isEqualTo(Simulator.device_sim_clock());
        assertThat(both.hwclockNs()).isEqualTo(Simulator.device_sim_clock());
        assertThat(context.queryValues(ValuesMask.RAW_CLOCK).has(ValuesEx.HWCLOCK_NS))
                .isFalse();
        assertThat(context.queryValues(ValuesMask.HWCLOCK_NS).has(ValuesEx.RAW_CLOCK))
                .isFalse();
    }

    // ---- the order of data

    /** Whether there is an answer depends on whether the library has the query. */
    private static void order(String path, boolean known) {
        int caps = DataInOrderFlags.RETURN_CAPS;
        int device = DataInOrderFlags.DEVICE_ONLY;
        try (Mlx5Rig rig = rig("mlx5_0", path, QpType.RC)) {
            assertThat(rig.qp.queryDataInOrder(WrOpcode.RDMA_WRITE, caps)).isEqualTo(known ? BOTH : 0);
            assertThat(rig.qp.queryDataInOrder(WrOpcode.RDMA_WRITE, caps | device))
                    .isEqualTo(known ? BOTH : 0);
            assertThat(rig.qp.queryDataInOrder(WrOpcode.RDMA_WRITE, 0)).isEqualTo(known ? 1 : 0);
            assertThat(rig.qp.queryDataInOrder(WrOpcode.RDMA_WRITE, device)).isEqualTo(known ? 1 : 0);
            if (known) {
                refused(Errno.EOPNOTSUPP, "flags is", () -> rig.qp.queryDataInOrder(WrOpcode.RDMA_WRITE, 1 << 5));
            }
            QpWalk.reset(rig.qp);
            assertThat(rig.qp.queryDataInOrder(WrOpcode.RDMA_WRITE, caps)).isZero();
        }
        try (Mlx5Rig rig = rig("mlx5_0", path, QpType.UC)) {
            assertThat(rig.qp.queryDataInOrder(WrOpcode.RDMA_WRITE, caps)).isZero();
        }
    }

    // ---- a device that lacks almost all of it

    /**
     * Uses the generic provider. The device's data is in order by blocks, which the first form of the query (yes or no)
     * cannot express.
     */
    private static void efa(boolean told) {
        try (Context context = Mlx5Rig.open("efa_0", "native");
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                QueuePair qp = pd.createQp(new QpInitAttr()
                        .qpType(QpType.UD)
                        .sendCq(cq)
                        .recvCq(cq)
                        .cap(new QpCap().maxSendWr(4).maxRecvWr(4).maxSendSge(1).maxRecvSge(1)))) {
            refused(Errno.EOPNOTSUPP, "query_values", () -> context.queryValues(ValuesMask.RAW_CLOCK));
            refused(Errno.EOPNOTSUPP, "modify_cq", () -> cq.modify(new ModifyCqAttr().cqCount(4)));
            int ports = context.queryDeviceEx().physPortCntEx();
            int length = context.queryPort(ports).gidTblLen();
            refused(Errno.EINVAL, "entry " + length, () -> context.queryGidEx(ports, length));
            refused(Errno.EINVAL, "port " + (ports + 1), () -> context.queryGidEx(ports + 1, 0));
            int blocks = told ? DataInOrderCaps.ALIGNED_128_BYTES : 0;
            int caps = DataInOrderFlags.RETURN_CAPS;
            assertThat(qp.queryDataInOrder(WrOpcode.SEND, caps)).isEqualTo(blocks);
            assertThat(qp.queryDataInOrder(WrOpcode.SEND, caps | DataInOrderFlags.DEVICE_ONLY))
                    .isEqualTo(blocks);
            assertThat(qp.queryDataInOrder(WrOpcode.SEND, 0)).isZero();
        }
    }
}
