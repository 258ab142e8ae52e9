/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.Mlx5QpInitAttrMask;
import io.verbs4j.mlx5dv.Mlx5SendOps;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.PdLayout;
import io.verbs4j.rdmacore.layout.QpAttrLayout;
import io.verbs4j.rdmacore.layout.QpInitAttrExLayout;
import io.verbs4j.rdmacore.layout.QpInitAttrLayout;
import io.verbs4j.rdmacore.layout.QpLayout;
import io.verbs4j.rdmacore.marshal.QpAttrs;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.quirk.Mlx5QueuePairs;
import io.verbs4j.rdmacore.quirk.layout.DvQpInitAttrLayout;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * A program for two simulated devices: posts the same random no-ops and masked atomics through Java on one. On the
 * other, elements written here by hand after the programmer's reference go through libmlx5's {@code mlx5dv_wr_raw_wqe},
 * which adds index and doorbell. Compares each byte of both rings, doorbell records and registers. Arguments: the
 * number of requests, and a seed.
 */
public final class RawElementBytesProgram {
    /** Offsets in {@code struct ibv_qp_ex} and {@code struct mlx5dv_qp_ex}. */
    private static final int WR_ID = 168;

    private static final int START = 320;
    private static final int COMPLETE = 328;
    private static final int RAW_WQE = 72;

    /** {@code IBV_QP_EX_WITH_*} of RC, the default that libmlx5 sizes its ring for. */
    private static final long ALL_OF_RC = (1 << 10) - 1;

    private static final int MEMORY = 1 << 12;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private final Random random;
    private long posts;
    private long completions;

    private RawElementBytesProgram(long seed) {
        random = new Random(seed);
    }

    public static void main(String... args) {
        RawElementBytesProgram test = new RawElementBytesProgram(Long.parseLong(args[1]));
        test.run(Integer.parseInt(args[0]));
        System.out.println("same " + test.posts + " posts, " + test.completions + " completions, violations "
                + Simulator.violations());
    }

    /**
     * Returns a queue pair of libmlx5 in RTS that accepts raw elements: a {@code struct ibv_qp}, which is the beginning
     * of the extended one.
     */
    private static long raw(Mlx5Rig rig) {
        long pd = IbvObject.addressOf(rig.pd);
        long cq = IbvObject.addressOf(rig.cq);
        long qp;
        try (Scratch attr = new Scratch(QpInitAttrExLayout.SIZEOF);
                Scratch dv = new Scratch(DvQpInitAttrLayout.SIZEOF)) {
            NativeMemory.putLong(attr.address() + QpInitAttrLayout.SEND_CQ, cq);
            NativeMemory.putLong(attr.address() + QpInitAttrLayout.RECV_CQ, cq);
            QpAttrs.writeCap(
                    attr.address() + QpInitAttrExLayout.CAP,
                    Mlx5Rig.attr(QpType.RC, rig.cq, null).cap());
            NativeMemory.putInt(attr.address() + QpInitAttrExLayout.QP_TYPE, QpType.RC);
            NativeMemory.putInt(attr.address() + QpInitAttrExLayout.COMP_MASK, 1 | 1 << 6);
            NativeMemory.putLong(attr.address() + QpInitAttrExLayout.PD, pd);
            NativeMemory.putLong(attr.address() + QpInitAttrExLayout.SEND_OPS_FLAGS, ALL_OF_RC);
            Mlx5QueuePairs.withoutScatter(dv.address());
            long mask = NativeMemory.getLong(dv.address() + DvQpInitAttrLayout.COMP_MASK);
            NativeMemory.putLong(dv.address() + DvQpInitAttrLayout.COMP_MASK, mask | Mlx5QpInitAttrMask.SEND_OPS_FLAGS);
            NativeMemory.putLong(dv.address() + DvQpInitAttrLayout.SEND_OPS_FLAGS, Mlx5SendOps.RAW_WQE);
            qp = Answers.checkPointer(
                    "mlx5dv_create_qp",
                    export("mlx5dv_create_qp")
                            .call(NativeMemory.getLong(pd + PdLayout.CONTEXT), attr.address(), dv.address()));
        }
        int number = NativeMemory.getInt(qp + QpLayout.QP_NUM);
        Mlx5Rig.connect(QpType.RC, rig.path(), number, Mlx5Rig.WITHOUT_END, change -> {
            try (Scratch c = new Scratch(QpAttrLayout.SIZEOF)) {
                QpAttrs.write("modify_qp", c.address(), change, change.mask());
                Answers.check("modify_qp", Libibverbs.ibv_modify_qp(qp, c.address(), change.mask()));
            }
        });
        return qp;
    }

    private static NativeFunction export(String name) {
        return NativeFunction.at(
                Pointer.nativeValue(NativeLibrary.getInstance("libmlx5.so.1").getFunction(name)));
    }

    private static NativeFunction at(long object, int offset) {
        return NativeFunction.at(NativeMemory.getLong(object + offset));
    }

    private void run(int count) {
        try (Mlx5Rig ours = new Mlx5Rig("mlx5_1", "java", QpType.RC, memory);
                Mlx5Rig theirs = new Mlx5Rig("mlx5_0", "native", QpType.RC, memory);
                QueuePair a = ours.pd.createQp(Mlx5Rig.attr(QpType.RC, ours.cq, null));
                Scratch wqe = new Scratch(128)) {
            Mlx5Rig.connect(ours.context, a, a.qpNum());
            long qp = raw(theirs);
            int number = NativeMemory.getInt(qp + QpLayout.QP_NUM);
            require(a.qpNum() == number && ours.mr.lkey() == theirs.mr.lkey(), "numbers differ");
            long dv = export("mlx5dv_qp_ex_from_ibv_qp_ex").call(qp);
            BuiltPosts built = new BuiltPosts(a);
            for (int i = 0; i < count; i++) {
                int n = 1 + random.nextInt(4);
                long seed = random.nextLong();
                SendWorkRequest list = list(ours, n, 8L * i, seed);
                require((random.nextBoolean() ? a.postSend(list) : built.post(list)) == 0, "Java refuses");
                at(qp, START).call(qp);
                for (SendWorkRequest wr = list; wr != null; wr = wr.next()) {
                    NativeMemory.putLong(qp + WR_ID, wr.wrId());
                    byHand(wqe.address(), number, wr);
                    at(dv, RAW_WQE).call(dv, wqe.address());
                }
                require((int) at(qp, COMPLETE).call(qp) == 0, "libmlx5 refuses");
                posts += n;
                RequestBytesProgram.compareSends(((NativeQueuePair) a).ibv.address(), qp, true);
                Simulator.device_sim_pump(-1);
                drain(ours, theirs);
            }
            require(Simulator.device_sim_check_idle() == 0, Simulator.message());
            Answers.check("destroy_qp", Libibverbs.ibv_destroy_qp(qp));
        }
    }

    private void drain(Mlx5Rig ours, Mlx5Rig theirs) {
        while (ours.cq.poll(1, wc) == 1) {
            long id = wc[0].wrId();
            require(wc[0].status() == WcStatus.SUCCESS, "status " + wc[0].status());
            require(theirs.cq.poll(1, wc) == 1 && wc[0].wrId() == id, "no completion of " + id + " by libmlx5");
            require(wc[0].status() == WcStatus.SUCCESS, "status " + wc[0].status());
            completions++;
        }
        require(theirs.cq.poll(1, wc) == 0, "a completion of " + wc[0].wrId() + " only by libmlx5");
    }

    private static SendWorkRequest list(Mlx5Rig rig, int n, long id, long seed) {
        Random r = new Random(seed);
        SendWorkRequest head = null;
        for (int i = 0; i < n; i++) {
            head = request(rig, r).wrId(id + n - i).next(head);
        }
        return head;
    }

    private static SendWorkRequest request(Mlx5Rig rig, Random r) {
        SendWorkRequest wr = new SendWorkRequest()
                .sendFlags(SendFlags.SIGNALED
                        | (r.nextInt(4) == 0 ? SendFlags.FENCE : 0)
                        | (r.nextInt(4) == 0 ? SendFlags.SOLICITED : 0));
        if (r.nextInt(3) == 0) {
            return wr.opcode(WrOpcode.NOP);
        }
        int width = r.nextBoolean() ? Integer.BYTES : Long.BYTES;
        return wr.opcode(r.nextBoolean() ? WrOpcode.MASKED_ATOMIC_CMP_AND_SWP : WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD)
                .atomicWidth(width)
                .remoteAddr(rig.mr.addr() + 8L * r.nextInt(100))
                .rkey(rig.mr.rkey())
                .compareAdd(r.nextLong())
                .compareAddMask(r.nextLong())
                .swap(r.nextLong())
                .swapMask(r.nextLong())
                .sgList(ScatterGatherElement.of(rig.mr, 2048 + 8L * r.nextInt(100), width));
    }

    /** Writes field by field, in the order of the reference; unnamed fields are 0. */
    private static void byHand(long to, int qpNum, SendWorkRequest wr) {
        ByteBuffer b = ByteBuffer.allocate(128);
        boolean nop = wr.opcode() == WrOpcode.NOP;
        boolean swap = wr.opcode() == WrOpcode.MASKED_ATOMIC_CMP_AND_SWP;
        boolean wide = wr.atomicWidth() == Long.BYTES;
        int segments = nop ? 1 : swap && wide ? 5 : 4;
        b.put((byte) (nop ? 0 : wide ? 0x09 : 0x08)).putShort((short) 0).put((byte) (nop ? 0 : swap ? 0x14 : 0x15));
        b.putInt(qpNum << 8 | segments);
        b.put(new byte[3]);
        b.put((byte) (((wr.sendFlags() & SendFlags.FENCE) != 0 ? 0x80 : 0)
                | ((wr.sendFlags() & SendFlags.SIGNALED) != 0 ? 0x08 : 0)
                | ((wr.sendFlags() & SendFlags.SOLICITED) != 0 ? 0x02 : 0)));
        b.putInt(0);
        if (!nop) {
            b.putLong(wr.remoteAddr()).putInt(wr.rkey()).putInt(0);
            if (swap) {
                operand(b, wide, wr.swap());
                operand(b, wide, wr.compareAdd());
                operand(b, wide, wr.swapMask());
                operand(b, wide, wr.compareAddMask());
            } else {
                operand(b, wide, wr.compareAdd());
                operand(b, wide, wr.compareAddMask());
                b.putLong(0);
                if (wide) {
                    b.position(b.position() - Long.BYTES);
                }
            }
            ScatterGatherElement e = wr.sgList()[0];
            b.putInt(e.length()).putInt(e.lkey()).putLong(e.addr());
        }
        require(b.position() == 16 * segments, "by hand: " + b.position());
        for (int i = 0; i < b.position(); i++) {
            NativeMemory.putByte(to + i, b.get(i));
        }
    }

    private static void operand(ByteBuffer b, boolean wide, long value) {
        if (wide) {
            b.putLong(value);
        } else {
            b.putInt((int) value);
        }
    }
}
