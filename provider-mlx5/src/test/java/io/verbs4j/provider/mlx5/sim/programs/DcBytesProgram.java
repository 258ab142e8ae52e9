/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.verbs4j.AddressHandle;
import io.verbs4j.Context;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.WorkCompletion;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Mlx5QpRings;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.object.NativeAddressHandle;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.sim.SimulatedDevice;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * A program for two simulated devices: posts the same random requests of a DC initiator through libmlx5's
 * {@code ibv_wr_*} on one and through Java's builder on the other, and compares each byte of both rings and doorbell
 * records, and the completions. Arguments: the number of requests, and a seed.
 */
public final class DcBytesProgram {
    /** Offsets in {@code struct ibv_qp_ex} of rdma-core 24 and later. */
    private static final int WR_ID = 168;

    private static final int WR_FLAGS = 176;
    private static final int CMP_SWP = 184;
    private static final int FETCH_ADD = 192;
    private static final int READ = 216;
    private static final int WRITE = 224;
    private static final int WRITE_IMM = 232;
    private static final int SEND = 240;
    private static final int SEND_IMM = 248;
    private static final int SET_INLINE = 288;
    private static final int SET_SGE = 304;
    private static final int SET_SGE_LIST = 312;
    private static final int START = 320;
    private static final int COMPLETE = 328;

    /** In {@code struct mlx5dv_qp_ex}. */
    private static final int SET_DC_ADDR = 8;

    private final Random random;
    private final ByteBuffer sges = ByteBuffer.allocateDirect(64);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * DcRig.TARGET_AT); // for both devices
    private int receives; // posted ones
    private long posts;

    private DcBytesProgram(long seed) {
        random = new Random(seed);
    }

    public static void main(String... args) {
        DcBytesProgram test = new DcBytesProgram(Long.parseLong(args[1]));
        System.setProperty("io.verbs4j.mlx5.path", "java");
        try (Context ours = SimulatedDevice.open("mlx5_1")) {
            System.setProperty("io.verbs4j.mlx5.path", "native");
            try (Context theirs = SimulatedDevice.open("mlx5_0")) {
                test.run(ours, theirs, Integer.parseInt(args[0]));
            }
        }
        System.out.println("same " + test.posts + " posts, violations " + Simulator.violations());
    }

    private void run(Context a, Context b, int count) {
        try (DcRig ours = new DcRig(a, memory);
                DcRig theirs = new DcRig(b, memory);
                // One address for both, so that the address vectors are equal.
                AddressHandle to = ours.pd.createAh(Mlx5Rig.path(b));
                AddressHandle same = theirs.pd.createAh(Mlx5Rig.path(b))) {
            ours.ready();
            theirs.ready();
            long ex = export("libibverbs.so.1", "ibv_qp_to_qp_ex")
                    .call(((NativeQueuePair) theirs.initiator).ibv.address());
            long dv = export("libmlx5.so.1", "mlx5dv_qp_ex_from_ibv_qp_ex").call(ex);
            require(ex != 0 && dv != 0, "libmlx5 has no builder");
            require(ours.initiator.qpNum() == theirs.initiator.qpNum(), "numbers differ");
            SendBuilder builder = ours.initiator.builder();
            long ah = ((NativeAddressHandle) same).ibv.address();
            for (int i = 0; i < count; i++) {
                receive(theirs);
                long seed = random.nextLong();
                int n = 1 + random.nextInt(3);
                builder.start();
                Random r = new Random(seed);
                for (int k = 0; k < n; k++) {
                    byJava(ours, theirs, builder, to, 10L * i + k, r);
                }
                require(builder.complete() == 0, "complete");
                at(ex, START).call(ex);
                r = new Random(seed);
                for (int k = 0; k < n; k++) {
                    byLibmlx5(theirs, ex, dv, ah, 10L * i + k, r);
                }
                require((int) at(ex, COMPLETE).call(ex) == 0, "complete of libmlx5");
                posts += n;
                compare(ours, theirs);
                Simulator.device_sim_pump(-1);
                drain(ours, theirs);
                // libmlx5's builder leaves the field for immediate data unchanged if a request has none.
                clear(ours);
                clear(theirs);
            }
            require(Simulator.violations() == 0, Simulator.message());
        }
    }

    /** Both send to one target: up to 6 messages a round. */
    private void receive(DcRig w) {
        for (; receives < 6; receives++) {
            require(
                    w.srq.postRecv(new RecvWorkRequest().sgList(ScatterGatherElement.of(w.mr, DcRig.TARGET_AT, 4096)))
                            == 0,
                    "receive");
        }
    }

    private static NativeFunction export(String library, String name) {
        return NativeFunction.at(
                Pointer.nativeValue(NativeLibrary.getInstance(library).getFunction(name)));
    }

    private static NativeFunction at(long object, int offset) {
        return NativeFunction.at(NativeMemory.getLong(object + offset));
    }

    /** A request that both sides draw from the same seed. Each has the data at the same offset of its own memory. */
    private record Request(int opcode, int flags, int imm, long where, int pieces, int length, boolean inline) {
        static Request draw(Random r) {
            int opcode = r.nextInt(7);
            int flags = SendFlags.SIGNALED
                    | (r.nextInt(4) == 0 ? SendFlags.FENCE : 0)
                    | (r.nextInt(4) == 0 ? SendFlags.SOLICITED : 0);
            boolean inline = opcode < 4 && r.nextInt(3) == 0;
            int pieces = opcode > 4 || inline ? 1 : 1 + r.nextInt(2);
            int length = opcode > 4 ? 8 : 1 + r.nextInt(inline ? 60 : 1000);
            return new Request(opcode, flags, r.nextInt(), 8L * r.nextInt(1000), pieces, length, inline);
        }
    }

    private static void byJava(DcRig w, DcRig remote, SendBuilder b, AddressHandle ah, long id, Random random) {
        Request q = Request.draw(random);
        int rkey = remote.mr.rkey();
        long there = remote.mr.addr() + DcRig.TARGET_AT + q.where();
        switch (q.opcode()) {
            case 0 -> b.send(id, q.flags());
            case 1 -> b.sendWithImm(id, q.flags(), q.imm());
            case 2 -> b.write(id, q.flags(), rkey, there);
            case 3 -> b.writeWithImm(id, q.flags(), rkey, there, q.imm());
            case 4 -> b.read(id, q.flags(), rkey, there);
            case 5 -> b.atomicFetchAdd(id, q.flags(), rkey, there, q.imm());
            default -> b.atomicCompareSwap(id, q.flags(), rkey, there, q.imm(), ~q.imm());
        }
        Mlx5Dv.dcAddr(b, ah, remote.target.qpNum(), DcRig.KEY);
        int lkey = w.mr.lkey();
        if (q.inline()) {
            b.inlineData(lkey, w.mr.addr() + q.where(), q.length());
        } else if (q.pieces() == 1) {
            b.sge(lkey, w.mr.addr() + q.where(), q.length());
        } else {
            b.sge(lkey, w.mr.addr() + q.where(), q.length()).sge(lkey, w.mr.addr(), 24);
        }
    }

    private void byLibmlx5(DcRig w, long ex, long dv, long ah, long id, Random random) {
        Request q = Request.draw(random);
        NativeMemory.putLong(ex + WR_ID, id);
        NativeMemory.putInt(ex + WR_FLAGS, q.flags());
        long rkey = w.mr.rkey();
        long there = w.mr.addr() + DcRig.TARGET_AT + q.where();
        long imm = Integer.reverseBytes(q.imm()) & 0xffffffffL; // in network order
        switch (q.opcode()) {
            case 0 -> at(ex, SEND).call(ex);
            case 1 -> at(ex, SEND_IMM).call(ex, imm);
            case 2 -> at(ex, WRITE).call(ex, rkey, there);
            case 3 -> at(ex, WRITE_IMM).call(ex, rkey, there, imm);
            case 4 -> at(ex, READ).call(ex, rkey, there);
            case 5 -> at(ex, FETCH_ADD).call(ex, rkey, there, q.imm());
            default -> at(ex, CMP_SWP).call(ex, rkey, there, q.imm(), ~q.imm());
        }
        at(dv, SET_DC_ADDR).call(dv, ah, w.target.qpNum(), DcRig.KEY);
        long lkey = w.mr.lkey();
        long from = w.mr.addr() + q.where();
        if (q.inline()) {
            at(ex, SET_INLINE).call(ex, from, q.length());
        } else if (q.pieces() == 1) {
            at(ex, SET_SGE).call(ex, lkey, from, q.length());
        } else {
            long list = NativeMemory.address(sges);
            sge(list, from, q.length(), w.mr.lkey());
            sge(list + 16, w.mr.addr(), 24, w.mr.lkey());
            at(ex, SET_SGE_LIST).call(ex, 2, list);
        }
    }

    private static void sge(long at, long addr, int length, int lkey) {
        NativeMemory.putLong(at, addr);
        NativeMemory.putInt(at + 8, length);
        NativeMemory.putInt(at + 12, lkey);
    }

    private static void clear(DcRig w) {
        Mlx5QpRings rings = w.dv.queuePair(w.initiator, 0);
        NativeMemory.clear(rings.sq().buf(), rings.sq().wqeCount() * 64L);
    }

    private static void compare(DcRig ours, DcRig theirs) {
        Mlx5QpRings a = ours.dv.queuePair(ours.initiator, 0);
        Mlx5QpRings b = theirs.dv.queuePair(theirs.initiator, 0);
        require(a.sq().wqeCount() == b.sq().wqeCount(), "sizes differ");
        compare("ring", a.sq().buf(), b.sq().buf(), a.sq().wqeCount() * 64);
        compare("doorbell record", a.dbrec(), b.dbrec(), 8);
    }

    private static void compare(String what, long a, long b, int length) {
        for (int i = 0; i < length; i += Integer.BYTES) {
            if (NativeMemory.getInt(a + i) != NativeMemory.getInt(b + i)) {
                StringBuilder text = new StringBuilder(what + " differs at byte " + i + "\n ours    libmlx5");
                for (int j = i & -64; j < (i & -64) + 64; j += Integer.BYTES) {
                    text.append(String.format(
                            "%n %08x %08x%s",
                            NativeMemory.getNetInt(a + j), NativeMemory.getNetInt(b + j), j == i ? "  <--" : ""));
                }
                throw new IllegalStateException(text.toString());
            }
        }
    }

    private void drain(DcRig ours, DcRig theirs) {
        WorkCompletion[] a = {new WorkCompletion()};
        WorkCompletion[] b = {new WorkCompletion()};
        int got;
        do {
            got = ours.cq.poll(1, a);
            require(got == theirs.cq.poll(1, b), "numbers of completions differ");
            if (got == 1) {
                require(
                        a[0].wrId() == b[0].wrId() && a[0].status() == b[0].status() && a[0].opcode() == b[0].opcode(),
                        "id " + a[0].wrId() + ", libmlx5 " + b[0].wrId() + ", or status or opcode differ");
                require(a[0].status() == 0, "status " + a[0].status());
            }
        } while (got == 1);
        while (theirs.targetCq.poll(1, b) == 1) {
            require(b[0].status() == 0, "receive " + b[0].status());
            receives--;
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
