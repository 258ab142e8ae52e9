/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * A program for two simulated devices: posts the same random requests through libmlx5 on one and through Java on the
 * other, some of them by a builder, and compares each byte of both rings and doorbell records, and each completion.
 * Arguments: the number of requests, a seed, and libmlx5's data path if it is not {@code native}.
 */
public final class RequestBytesProgram {
    private static final int MEMORY = 1 << 16;
    private static final int RECORDS = 8;

    /** The number of data bytes that a completion of 64 bytes can hold. */
    private static final int INSIDE = 32;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
    private final Random random;
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private final WorkCompletion[] other = {new WorkCompletion()};
    private final boolean[] opcodes = new boolean[8];
    private BuiltPosts built;
    private long posts;
    private long completions;
    private long paths;
    private boolean datagrams;
    private final String path;
    private int block;

    private RequestBytesProgram(long seed, String path) {
        random = new Random(seed);
        this.path = path;
    }

    public static void main(String... args) {
        int count = Integer.parseInt(args[0]);
        RequestBytesProgram test =
                new RequestBytesProgram(Long.parseLong(args[1]), args.length > 2 ? args[2] : "native");
        for (int type : new int[] {QpType.RC, QpType.UC, QpType.UD}) {
            test.run(type, count, type != QpType.UD);
        }
        test.run(QpType.UD, count, true);
        System.out.println("same " + test.posts + " posts, " + test.completions + " completions, " + test.paths
                + " with a path, opcodes "
                + Arrays.toString(test.opcodes) + ", violations " + Simulator.violations());
    }

    /** Datagrams can meet only one of the two goals: see below. */
    private void run(int type, int count, boolean arrives) {
        try (Mlx5Rig ours = new Mlx5Rig("mlx5_1", "java", type, memory);
                Mlx5Rig theirs = new Mlx5Rig("mlx5_0", path, type, memory)) {
            require(!ours.qp.getClass().equals(theirs.qp.getClass()), "both have the same data path");
            require(ours.qp.qpNum() == theirs.qp.qpNum() && ours.mr.lkey() == theirs.mr.lkey(), "numbers differ");
            built = new BuiltPosts(ours.qp);
            block = 0;
            datagrams = type == QpType.UD;
            // One address for both, so that the address vectors are equal and all datagrams go to the other device; or
            // each to itself.
            try (AddressHandle a = ours.pd.createAh((arrives ? ours : theirs).path());
                    AddressHandle b = theirs.pd.createAh(theirs.path())) {
                for (int i = 0; i < count; i++) {
                    step(ours, theirs, a, b, i, arrives);
                }
            }
            require(Simulator.device_sim_check_idle() == 0, "work without a doorbell: " + Simulator.message());
        }
    }

    /** Returns whether libmlx5 posts through its builder. */
    private boolean built() {
        return path.equals("native-wr");
    }

    private void step(Mlx5Rig ours, Mlx5Rig theirs, AddressHandle a, AddressHandle b, long id, boolean arrives) {
        for (int i = 0; i < 3 && arrives; i++) {
            RecvWorkRequest receive =
                    new RecvWorkRequest().wrId(id).sgList(elements(ours, 1 + random.nextInt(3), 4096));
            same("receive", ours.peer.postRecv(receive), theirs.peer.postRecv(receive));
        }
        int n = 1 + random.nextInt(3);
        long seed = random.nextLong();
        SendWorkRequest own = list(ours, a, n, id, seed);
        int error = random.nextBoolean() ? ours.qp.postSend(own) : built.post(own);
        SendWorkRequest first = list(theirs, b, n, id, seed);
        same("post of " + WrOpcode.toString(first.opcode()), error, theirs.qp.postSend(first));
        if (built()) {
            block = ImmediateWords.clear(theirs.qp, block);
        }
        compareRings(ours, theirs, !datagrams || !arrives);
        Simulator.device_sim_pump(-1);
        int got;
        do {
            got = poll(ours.cq, theirs.cq) + (arrives ? poll(ours.peerCq, theirs.peerCq) : 0);
        } while (got != 0);
        posts += n;
        require(Simulator.violations() == 0, Simulator.message());
    }

    private SendWorkRequest list(Mlx5Rig rig, AddressHandle ah, int n, long id, long seed) {
        Random r = new Random(seed);
        SendWorkRequest head = null;
        for (int i = 0; i < n; i++) {
            head = request(rig, ah, r).wrId(id * 8 + i).next(head);
        }
        return head;
    }

    private SendWorkRequest request(Mlx5Rig rig, AddressHandle ah, Random r) {
        int type = rig.qp.qpType();
        int opcode = type == QpType.RC
                ? r.nextInt(WrOpcode.ATOMIC_FETCH_AND_ADD + 1)
                : type == QpType.UC ? r.nextInt(WrOpcode.RDMA_READ) : WrOpcode.SEND + r.nextInt(2);
        opcodes[opcode] = true;
        boolean atomic = opcode >= WrOpcode.ATOMIC_CMP_AND_SWP;
        boolean inline = opcode < WrOpcode.RDMA_READ && r.nextInt(3) == 0;
        int flags = SendFlags.SIGNALED
                | (inline ? SendFlags.INLINE : 0)
                | (r.nextInt(4) == 0 ? SendFlags.FENCE : 0)
                | (r.nextInt(4) == 0 ? SendFlags.SOLICITED : 0);
        SendWorkRequest wr = new SendWorkRequest()
                .opcode(opcode)
                .sendFlags(flags)
                .immData(r.nextInt())
                .remoteAddr(rig.mr.addr() + 8L * r.nextInt(1000))
                .rkey(rig.mr.rkey())
                .compareAdd(r.nextLong())
                .swap(r.nextLong())
                .ah(ah)
                .remoteQpn(rig.peer.qpNum())
                .remoteQkey(Mlx5Rig.QKEY);
        int most = inline ? 20 : type == QpType.UD ? 300 : 1300;
        ScatterGatherElement[] list = new ScatterGatherElement[atomic ? 1 : r.nextInt(4)];
        for (int i = 0; i < list.length; i++) {
            int length = atomic ? 8 : r.nextInt(most);
            list[i] = ScatterGatherElement.of(rig.mr, 8L * r.nextInt(5000), length);
        }
        return wr.sgList(list);
    }

    private ScatterGatherElement[] elements(Mlx5Rig rig, int n, int length) {
        ScatterGatherElement[] list = new ScatterGatherElement[n];
        for (int i = 0; i < n; i++) {
            list[i] = ScatterGatherElement.of(rig.mr, 8L * random.nextInt(5000), length);
        }
        return list;
    }

    private int poll(CompletionQueue a, CompletionQueue b) {
        int got = a.poll(1, wc);
        same("completions", got, b.poll(1, other));
        if (got == 1) {
            completions++;
            same("status", wc[0].status(), other[0].status());
            require(wc[0].wrId() == other[0].wrId(), "id " + wc[0].wrId() + ", libmlx5 " + other[0].wrId());
            same("number", wc[0].qpNum(), other[0].qpNum());
            if (wc[0].status() == WcStatus.SUCCESS) {
                compareSuccess();
            } else {
                same("vendor's error", wc[0].vendorErr(), other[0].vendorErr());
            }
        }
        return got;
    }

    /**
     * Compares each field that applies. A message inside the completion overwrites the path: Java requests that, and it
     * is disabled for libmlx5.
     */
    private void compareSuccess() {
        boolean receive = wc[0].opcode() >= WcOpcode.RECV;
        boolean inside = wc[0].opcode() == WcOpcode.RECV && !datagrams && wc[0].byteLen() <= INSIDE;
        int flags = inside ? ~WcFlags.GRH : -1;
        same("opcode", wc[0].opcode(), other[0].opcode());
        same("flags", wc[0].wcFlags() & flags, other[0].wcFlags() & flags);
        if (receive || wc[0].opcode() != WcOpcode.SEND && wc[0].opcode() != WcOpcode.RDMA_WRITE) {
            same("length", wc[0].byteLen(), other[0].byteLen());
        }
        if (receive) {
            same("P_Key index", wc[0].pkeyIndex(), other[0].pkeyIndex());
            if ((wc[0].wcFlags() & WcFlags.WITH_IMM) != 0) {
                same("immediate", wc[0].immData(), other[0].immData());
            }
        }
        if (receive && !inside) {
            paths++;
            same("source", wc[0].srcQp(), other[0].srcQp());
            same("source LID", wc[0].slid(), other[0].slid());
            same("service level", wc[0].sl(), other[0].sl());
            same("path bits", wc[0].dlidPathBits(), other[0].dlidPathBits());
        }
    }

    private static void compareRings(Mlx5Rig ours, Mlx5Rig theirs, boolean sends) {
        compareSends(((NativeQueuePair) ours.qp).ibv.address(), ((NativeQueuePair) theirs.qp).ibv.address(), sends);
        DvObjects.Qp c = DvObjects.qp(((NativeQueuePair) ours.peer).ibv.address());
        DvObjects.Qp d = DvObjects.qp(((NativeQueuePair) theirs.peer).ibv.address());
        compare("receive ring", c.rqBuf(), d.rqBuf(), c.rqCount() * c.rqStride());
        compare("receive doorbell record", c.dbrec(), d.dbrec(), RECORDS);
    }

    /**
     * Compares what two {@code struct ibv_qp} have sent, and how they rang the doorbell; the device has not read it
     * yet.
     */
    static void compareSends(long ours, long theirs, boolean sends) {
        DvObjects.Qp a = DvObjects.qp(ours);
        DvObjects.Qp b = DvObjects.qp(theirs);
        same("blocks", a.sqCount(), b.sqCount());
        if (sends) {
            compare("send ring", a.sqBuf(), b.sqBuf(), a.sqCount() * a.sqStride());
        }
        compare("send doorbell record", a.dbrec(), b.dbrec(), RECORDS);
        if (sends) { // the halves of the register, which the device has not read yet: with BlueFlame they hold
            // whole elements
            same("size of the register", a.bfSize(), b.bfSize());
            compare("doorbell register", a.bfReg(), b.bfReg(), Math.max(2 * a.bfSize(), Long.BYTES));
        }
    }

    static void compare(String what, long a, long b, int length) {
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

    private static void same(String what, int ours, int theirs) {
        require(ours == theirs, what + ": " + ours + ", libmlx5 " + theirs);
    }
}
