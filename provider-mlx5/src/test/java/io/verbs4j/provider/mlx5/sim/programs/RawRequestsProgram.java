/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.Mlx5ContextMask;
import io.verbs4j.mlx5dv.Mlx5MemcpyRequest;
import io.verbs4j.mlx5dv.Mlx5RawRequest;
import io.verbs4j.mlx5dv.Mlx5SendOps;
import io.verbs4j.mlx5dv.Mlx5WcOpcode;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * A program for a simulated device: runs one case of descriptors that the program wrote, or of copies by the device, by
 * name, on the data path that the second argument names. Prints {@code done} and the name.
 */
public final class RawRequestsProgram {
    private static final int MASKED_CS = 0x14;
    private static final int MASKED_FA = 0x15;
    private static final int RDMA_WRITE = 0x08;
    static final int CQ_UPDATE = 8;
    private static final int INLINE = 0x80000000;
    private static final int ANSWER = 1024;
    private static final int COUNT = 400;

    private RawRequestsProgram() {}

    public static void main(String... args) {
        String path = args[1];
        Cases.run(args[0], name -> {
            run(name, path);
            Simulator.requireNoViolation();
        });
    }

    private static void run(String name, String path) {
        switch (name) {
            case "atomics" -> atomics(path);
            case "unsignaled" -> unsignaled(path);
            case "mixed" -> mixed(path);
            case "memcpy" -> memcpy(path);
            case "refusals" -> refusals(path);
            default -> throw new IllegalArgumentException(name);
        }
    }

    /** Begins a descriptor; {@link #end} fills in its size. */
    private static ByteBuffer begin(MkeyRig rig, int operation, int flags) {
        return ByteBuffer.allocate(1024)
                .putInt(operation)
                .putInt(rig.qp.qpNum() << 8)
                .putInt(flags)
                .putInt(0);
    }

    private static byte[] end(ByteBuffer wqe) {
        int size = wqe.position() + 15 & -16;
        wqe.put(7, (byte) (size / 16));
        byte[] bytes = new byte[size];
        wqe.get(0, bytes);
        return bytes;
    }

    private static void remote(ByteBuffer wqe, MkeyRig rig, int offset) {
        wqe.putLong(rig.mr.addr() + offset).putInt(rig.mr.rkey()).putInt(0);
    }

    private static void data(ByteBuffer wqe, MkeyRig rig, int offset, int length) {
        wqe.putInt(length).putInt(rig.mr.lkey()).putLong(rig.mr.addr() + offset);
    }

    /** Compares masked atomics to a model that works bit by bit. */
    private static void atomics(String path) {
        SplittableRandom random = new SplittableRandom(15);
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.RAW_WQE)) {
            Mlx5RawRequest raw = new Mlx5RawRequest();
            int changed = 0;
            for (int n = 0; n < COUNT; n++) {
                int width = random.nextBoolean() ? 8 : 4;
                boolean swap = random.nextBoolean();
                int offset = random.nextInt(8) * width;
                long old = MaskedAtomicsProgram.operand(random);
                SendWorkRequest wr = new SendWorkRequest()
                        .swap(MaskedAtomicsProgram.operand(random))
                        .compareAdd(random.nextBoolean() ? old : MaskedAtomicsProgram.operand(random))
                        .compareAddMask(MaskedAtomicsProgram.operand(random))
                        .swapMask(MaskedAtomicsProgram.operand(random));
                put(rig, offset, width, old);
                assertThat(rig.done(raw.descriptor(n, masked(rig, wr, swap, width, offset)))
                                .opcode())
                        .isEqualTo(path.equals("native") ? Mlx5WcOpcode.RAW_WQE : operation(swap));
                long wanted = MaskedAtomicsProgram.model(wr, swap, width, old);
                changed += wanted != MaskedAtomicsProgram.cut(old, width) ? 1 : 0;
                assertThat(get(rig, offset, width)).as("%s of %x", wr, old).isEqualTo(wanted);
                assertThat(get(rig, ANSWER, width)).isEqualTo(MaskedAtomicsProgram.cut(old, width));
            }
            assertThat(changed).isBetween(COUNT / 5, COUNT - COUNT / 5);
        }
    }

    /** Java reports the operation of a descriptor. */
    private static int operation(boolean swap) {
        return swap ? WcOpcode.MASKED_COMP_SWAP : WcOpcode.MASKED_FETCH_ADD;
    }

    private static byte[] masked(MkeyRig rig, SendWorkRequest wr, boolean swap, int width, int offset) {
        int modifier = width == 8 ? 0x09 : 0x08;
        ByteBuffer wqe = begin(rig, modifier << 24 | (swap ? MASKED_CS : MASKED_FA), CQ_UPDATE);
        remote(wqe, rig, offset);
        if (width == 8 && swap) {
            wqe.putLong(wr.swap())
                    .putLong(wr.compareAdd())
                    .putLong(wr.swapMask())
                    .putLong(wr.compareAddMask());
        } else if (width == 8) {
            wqe.putLong(wr.compareAdd()).putLong(wr.compareAddMask());
        } else if (swap) {
            wqe.putInt((int) wr.swap())
                    .putInt((int) wr.compareAdd())
                    .putInt((int) wr.swapMask())
                    .putInt((int) wr.compareAddMask());
        } else {
            wqe.putInt((int) wr.compareAdd()).putInt((int) wr.compareAddMask()).putLong(0);
        }
        data(wqe, rig, ANSWER, width);
        return end(wqe);
    }

    private static long get(MkeyRig rig, int at, int width) {
        return width == 8 ? rig.memory.getLong(at) : rig.memory.getInt(at) & 0xffff_ffffL;
    }

    private static void put(MkeyRig rig, int at, int width, long value) {
        if (width == 8) {
            rig.memory.putLong(at, value);
        } else {
            rig.memory.putInt(at, (int) value);
        }
    }

    /** Returns a write of {@code length} inline bytes, from one offset in memory to another. */
    static byte[] inlineWrite(MkeyRig rig, int flags, int from, int to, int length) {
        ByteBuffer wqe = begin(rig, RDMA_WRITE, flags);
        remote(wqe, rig, to);
        wqe.putInt(INLINE | length);
        for (int i = 0; i < length; i++) {
            wqe.put(rig.memory.get(from + i));
        }
        return end(wqe);
    }

    /**
     * A descriptor says by itself whether it has a completion; the room of an unsignaled one is freed by a later
     * completion.
     */
    private static void unsignaled(String path) {
        try (MkeyRig rig = new MkeyRig(path, MkeyRig.ALL)) {
            Mlx5RawRequest raw = new Mlx5RawRequest();
            for (int round = 0; round < 20; round++) {
                int posted = 0;
                while (posted < MkeyRig.DEPTH - 1) {
                    rig.memory.put(0, (byte) (round + posted));
                    raw.descriptor(posted, inlineWrite(rig, 0, 0, 2000 + posted, 1));
                    assertThat(rig.dv.postSend(rig.qp, raw)).isZero();
                    posted++;
                }
                Simulator.pump();
                assertThat(rig.cq.poll(1, rig.wc)).isZero();
                rig.done(raw.descriptor(500, inlineWrite(rig, CQ_UPDATE, 0, 1999, 1)));
                for (int i = 0; i < posted; i++) {
                    assertThat(rig.memory.get(2000 + i)).isEqualTo((byte) (round + i));
                }
            }
            int most = 0;
            while (rig.dv.postSend(rig.qp, raw) == 0) {
                most++;
            }
            assertThat(most).isGreaterThanOrEqualTo(MkeyRig.DEPTH);
            assertThat(rig.dv.postSend(rig.qp, raw)).isEqualTo(Errno.ENOMEM);
            for (int i = 0; i < most; i++) {
                assertThat(rig.completion(500, WcStatus.SUCCESS).qpNum()).isEqualTo(rig.qp.qpNum());
            }
        }
    }

    /** Posts descriptors of all lengths among requests of the verbs, past the end of the ring. */
    private static void mixed(String path) {
        SplittableRandom random = new SplittableRandom(16);
        try (MkeyRig rig = new MkeyRig(path, MkeyRig.ALL)) {
            Mlx5RawRequest raw = new Mlx5RawRequest();
            for (int n = 0; n < COUNT; n++) {
                int length = random.nextInt(1, MkeyRig.MAX_INLINE);
                rig.fill(0, length, n);
                if (random.nextInt(4) == 0) {
                    rig.done(
                            MkeyRig.request(
                                    WrOpcode.RDMA_WRITE, rig.element(0, length), rig.mr.rkey(), rig.mr.addr() + 4096),
                            WcStatus.SUCCESS);
                } else {
                    rig.done(raw.descriptor(n, inlineWrite(rig, CQ_UPDATE, 0, 4096, length)));
                }
                for (int i = 0; i < length; i++) {
                    assertThat(rig.memory.get(4096 + i)).isEqualTo(rig.memory.get(i));
                }
            }
        }
    }

    private static void memcpy(String path) {
        SplittableRandom random = new SplittableRandom(18);
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.MEMCPY)) {
            long most = rig.dv.queryDevice(Mlx5ContextMask.WR_MEMCPY_LENGTH).maxWrMemcpyLength();
            assertThat(most).isPositive();
            Mlx5MemcpyRequest copy = new Mlx5MemcpyRequest();
            for (int n = 0; n < 100; n++) {
                int length = random.nextInt(1, 20000);
                int from = random.nextInt(30000 - length);
                rig.fill(0, MkeyRig.MEMORY, n);
                copy.request(n, SendFlags.SIGNALED)
                        .from(rig.mr.lkey(), rig.mr.addr() + from, length)
                        .to(rig.mr.lkey(), rig.mr.addr() + 32000);
                assertThat(rig.done(copy).opcode()).isEqualTo(Mlx5WcOpcode.MEMCPY);
                for (int i = 0; i < length; i++) {
                    assertThat(rig.memory.get(32000 + i)).isEqualTo((byte) ((from + i) * 7 + (from + i >> 8) + n));
                }
            }
            assertThat(rig.dv.postSend(rig.qp, copy.from(rig.mr.lkey(), rig.mr.addr(), 0)))
                    .isEqualTo(Errno.EINVAL);
            assertThat(rig.dv.postSend(rig.qp, copy.from(rig.mr.lkey(), rig.mr.addr(), most + 1)))
                    .isEqualTo(Errno.EINVAL);
            assertThat(rig.dv.postSend(rig.qp, new Mlx5RawRequest())).isEqualTo(Errno.EOPNOTSUPP);
            copy.from(rig.mr.lkey() ^ 1, rig.mr.addr(), 8);
            assertThat(rig.dv.postSend(rig.qp, copy)).isZero();
            rig.completion(99, WcStatus.LOC_PROT_ERR);
        }
    }

    private static void refusals(String path) {
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.RAW_WQE)) {
            Mlx5RawRequest raw = new Mlx5RawRequest();
            assertThat(rig.dv.postSend(rig.qp, raw)).isEqualTo(Errno.EINVAL);
            refused(Errno.EINVAL, "the descriptor has 0 bytes", () -> raw.descriptor(1));
            refused(Errno.EINVAL, "the descriptor has 15 bytes", () -> raw.descriptor(1, new byte[15]));
            refused(Errno.EINVAL, "the descriptor has 64 bytes", () -> raw.descriptor(1, new byte[64]));
            byte[] lies = inlineWrite(rig, CQ_UPDATE, 0, 8, 40);
            lies[7]++;
            refused(Errno.EINVAL, "control segment says 96", () -> raw.descriptor(1, lies));
            lies[7]--;
            raw.descriptor(1, lies);
            lies[7] = 1;
            assertThat(rig.dv.postSend(rig.qp, raw)).isEqualTo(Errno.EINVAL);
            byte[] huge = new byte[1008];
            huge[7] = 63;
            byte[] most = inlineWrite(rig, CQ_UPDATE, 0, 8, 40);
            rig.done(raw.descriptor(2, most));
            assertThat(rig.dv.postSend(rig.qp, new Mlx5MemcpyRequest())).isEqualTo(Errno.EOPNOTSUPP);
            if (path.equals("java")) {
                refused(Errno.EOPNOTSUPP, "=native", () -> rig.queuePair(rig.cq, Mlx5SendOps.MEMCPY));
            } else { // longer than the places of the ring
                assertThat(rig.dv.postSend(rig.qp, raw.descriptor(3, huge))).isEqualTo(Errno.EINVAL);
            }
        }
    }
}
