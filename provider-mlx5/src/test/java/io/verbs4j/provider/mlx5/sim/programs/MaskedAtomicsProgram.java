/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.PciAtomicSizes;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * A program for a simulated device: compares masked atomics with random operands to a model that works bit by bit, and
 * posts no-ops. The argument is the number of requests.
 */
public final class MaskedAtomicsProgram {
    private static final int MASK_4 = 4;
    private static final long MASKED =
            QpCreateSendOps.MASKED_ATOMIC_CMP_AND_SWP | QpCreateSendOps.MASKED_ATOMIC_FETCH_AND_ADD;
    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(4096).order(ByteOrder.nativeOrder());
    private static final WorkCompletion[] WC = {new WorkCompletion()};
    private static final int ANSWER = 1024;

    private MaskedAtomicsProgram() {}

    public static void main(String... args) {
        if (args[0].equals("native")) {
            lacking("native");
        } else if (args[0].equals("lacking")) {
            lacking("java");
        } else {
            try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", "java", QpType.RC, MEMORY)) {
                told(rig);
                random(rig, Integer.parseInt(args[0]));
                noOps(rig);
                mistakes(rig);
                Simulator.requireNoViolation();
            }
        }
        System.out.println("done");
    }

    private static void lacking(String path) {
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", path, QpType.RC, MEMORY)) {
            DeviceAttrEx attr = rig.context.queryDeviceEx();
            assertThat(attr.maskedAtomicSizes()).isZero();
            assertThat(attr.sendOpsRc() & MASKED).isZero();
            assertThat(rig.qp.postSend(request(rig, WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 8, 0)))
                    .isEqualTo(Errno.EOPNOTSUPP);
            refused(
                    Errno.EOPNOTSUPP,
                    "MASKED",
                    () -> rig.context.createQpEx(QpInitAttrEx.of(rig.pd, Mlx5Rig.attr(QpType.RC, rig.cq, null))
                            .sendOpsFlags(MASKED)));
        }
    }

    private static void told(Mlx5Rig rig) {
        DeviceAttrEx attr = rig.context.queryDeviceEx();
        assertThat(attr.maskedAtomicSizes()).isEqualTo(PciAtomicSizes.SIZE_4_BYTE | PciAtomicSizes.SIZE_8_BYTE);
        assertThat(attr.sendOpsRc() & (MASKED | QpCreateSendOps.NOP)).isEqualTo(MASKED | QpCreateSendOps.NOP);
        assertThat(attr.sendOpsUc() & (MASKED | QpCreateSendOps.NOP)).isEqualTo(QpCreateSendOps.NOP);
        assertThat(attr.sendOpsUd() & MASKED).isZero();
    }

    private static SendWorkRequest request(Mlx5Rig rig, int opcode, int width, int offset) {
        return new SendWorkRequest()
                .wrId(opcode)
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED)
                .atomicWidth(width)
                .remoteAddr(rig.mr.addr() + offset)
                .rkey(rig.mr.rkey())
                .sgList(new ScatterGatherElement()
                        .lkey(rig.mr.lkey())
                        .addr(rig.mr.addr() + ANSWER)
                        .length(width == 0 ? 8 : width));
    }

    /** Sets a few bits, many or all, so that comparisons have both outcomes. */
    static long operand(SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> 0x8000_0001L << random.nextInt(64);
            case 3 -> 1L << random.nextInt(64);
            default -> random.nextLong();
        };
    }

    private static void random(Mlx5Rig rig, int count) {
        SplittableRandom random = new SplittableRandom(14);
        SendBuilder builder = rig.qp.builder();
        // If every request is signaled, answers arrive inside completions.
        QueuePair inside = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, rig.cq, null).sqSigAll(true));
        Mlx5Rig.connect(rig.context, inside, inside.qpNum());
        int swapped = 0;
        for (int n = 0; n < count; n++) {
            int width = random.nextBoolean() ? 8 : MASK_4;
            int offset = random.nextInt(8) * width;
            boolean swap = random.nextBoolean();
            long old = operand(random);
            SendWorkRequest wr = request(
                            rig,
                            swap ? WrOpcode.MASKED_ATOMIC_CMP_AND_SWP : WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD,
                            width == 8 && random.nextBoolean() ? 0 : width,
                            offset)
                    .swap(operand(random))
                    .compareAdd(random.nextBoolean() ? old : operand(random))
                    .compareAddMask(operand(random))
                    .swapMask(operand(random));
            MEMORY.putLong(ANSWER, 0x5555_5555_5555_5555L);
            for (int i = 0; i < 8; i++) {
                MEMORY.putLong(8 * i, 0x1111_1111_1111_1111L * i);
            }
            put(offset, width, old);
            assertThat(post(random.nextInt(3), rig.qp, inside, builder, wr, swap))
                    .isZero();
            Simulator.pump();
            assertThat(rig.cq.poll(1, WC)).isEqualTo(1);
            assertThat(WC[0].status()).isEqualTo(WcStatus.SUCCESS);
            assertThat(WC[0].opcode()).isEqualTo(swap ? WcOpcode.MASKED_COMP_SWAP : WcOpcode.MASKED_FETCH_ADD);
            assertThat(WC[0].byteLen()).isEqualTo(width);
            long wanted = model(wr, swap, width, old);
            swapped += wanted != cut(old, width) ? 1 : 0;
            assertThat(get(offset, width)).as("%s of %x", wr, old).isEqualTo(wanted);
            assertThat(get(ANSWER, width)).isEqualTo(cut(old, width));
            put(offset, width, 0x1111_1111_1111_1111L * (offset / 8) >>> (offset & 4) * 8);
            for (int i = 0; i < 8; i++) {
                assertThat(MEMORY.getLong(8 * i)).isEqualTo(0x1111_1111_1111_1111L * i);
            }
            if (width == MASK_4) {
                assertThat(MEMORY.getInt(ANSWER + 4)).isEqualTo(0x5555_5555);
            }
        }
        inside.close();
        assertThat(swapped).isBetween(count / 5, count - count / 5);
    }

    private static int post(
            int how, QueuePair qp, QueuePair inside, SendBuilder builder, SendWorkRequest wr, boolean swap) {
        return how == 0 ? build(builder, wr, swap) : (how == 1 ? qp : inside).postSend(wr);
    }

    private static int build(SendBuilder builder, SendWorkRequest wr, boolean swap) {
        builder.start();
        if (swap) {
            builder.maskedCompareSwap(
                    wr.wrId(),
                    wr.sendFlags(),
                    wr.rkey(),
                    wr.remoteAddr(),
                    wr.atomicWidth(),
                    wr.compareAdd(),
                    wr.swap(),
                    wr.compareAddMask(),
                    wr.swapMask());
        } else {
            builder.maskedFetchAdd(
                    wr.wrId(),
                    wr.sendFlags(),
                    wr.rkey(),
                    wr.remoteAddr(),
                    wr.atomicWidth(),
                    wr.compareAdd(),
                    wr.compareAddMask());
        }
        ScatterGatherElement e = wr.sgList()[0];
        builder.sge(e.lkey(), e.addr(), e.length());
        return builder.complete();
    }

    static long cut(long value, int width) {
        return width == 8 ? value : value & 0xffff_ffffL;
    }

    private static long get(int at, int width) {
        return width == 8 ? MEMORY.getLong(at) : MEMORY.getInt(at) & 0xffff_ffffL;
    }

    private static void put(int at, int width, long value) {
        if (width == 8) {
            MEMORY.putLong(at, value);
        } else {
            MEMORY.putInt(at, (int) value);
        }
    }

    static long model(SendWorkRequest wr, boolean swap, int width, long old) {
        boolean equal = true;
        long swapped = 0;
        long sum = 0;
        int carry = 0;
        for (int bit = 0; bit < width * 8; bit++) {
            int had = bit(old, bit);
            equal &= bit(wr.compareAddMask(), bit) == 0 || had == bit(wr.compareAdd(), bit);
            swapped |= (long) (bit(wr.swapMask(), bit) == 0 ? had : bit(wr.swap(), bit)) << bit;
            int two = had + bit(wr.compareAdd(), bit) + carry;
            sum |= (long) (two & 1) << bit;
            carry = bit(wr.compareAddMask(), bit) == 1 ? 0 : two >> 1;
        }
        return swap ? equal ? swapped : cut(old, width) : sum;
    }

    private static int bit(long value, int bit) {
        return (int) (value >>> bit & 1);
    }

    private static void noOps(Mlx5Rig rig) {
        for (int n = 0; n < 40; n++) { // past the end of the ring
            assertThat(rig.qp.postSend(new SendWorkRequest()
                            .wrId(n)
                            .opcode(WrOpcode.NOP)
                            .sendFlags(SendFlags.SIGNALED)
                            .next(request(rig, WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, 8, 0))))
                    .isZero();
            Simulator.pump();
            assertThat(rig.cq.poll(1, WC)).isEqualTo(1);
            assertThat(WC[0].opcode()).isEqualTo(WcOpcode.NOP);
            assertThat(WC[0].wrId()).isEqualTo(n);
            assertThat(rig.cq.poll(1, WC)).isEqualTo(1);
            assertThat(WC[0].opcode()).isEqualTo(WcOpcode.MASKED_COMP_SWAP);
        }
        assertThat(rig.qp.postSend(request(rig, WrOpcode.NOP, 8, 0))).isEqualTo(Errno.EINVAL);
    }

    private static void mistakes(Mlx5Rig rig) {
        int swap = WrOpcode.MASKED_ATOMIC_CMP_AND_SWP;
        assertThat(rig.qp.postSend(request(rig, swap, 8, 4))).isEqualTo(Errno.EINVAL);
        assertThat(rig.qp.postSend(request(rig, swap, MASK_4, 2))).isEqualTo(Errno.EINVAL);
        assertThat(rig.qp.postSend(request(rig, swap, 3, 0))).isEqualTo(Errno.EINVAL);
        assertThat(rig.qp.postSend(request(rig, swap, 16, 0))).isEqualTo(Errno.EOPNOTSUPP);
        SendWorkRequest wr = request(rig, swap, 8, 0);
        assertThat(rig.qp.postSend(wr.sendFlags(SendFlags.INLINE))).isEqualTo(Errno.EINVAL);
        wr.sendFlags(SendFlags.SIGNALED).sgList()[0].length(MASK_4);
        assertThat(rig.qp.postSend(wr)).isEqualTo(Errno.EINVAL);
        assertThat(rig.qp.postSend(request(rig, swap, 8, 0).sgList(new ScatterGatherElement[0], 0)))
                .isEqualTo(Errno.EINVAL);
        assertThat(rig.qp.postSend(request(rig, swap, 8, 0).rkey(rig.mr.rkey() ^ 1)))
                .isZero();
        Simulator.pump();
        assertThat(rig.cq.poll(1, WC)).isEqualTo(1);
        assertThat(WC[0].status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }
}
