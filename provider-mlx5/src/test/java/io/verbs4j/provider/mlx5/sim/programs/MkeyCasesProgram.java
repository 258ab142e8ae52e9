/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Mlx5Interleaved;
import io.verbs4j.mlx5dv.Mlx5Mkey;
import io.verbs4j.mlx5dv.Mlx5MkeyFlags;
import io.verbs4j.mlx5dv.Mlx5MkeyRequest;
import io.verbs4j.mlx5dv.Mlx5RawRequest;
import io.verbs4j.mlx5dv.Mlx5SendOps;
import io.verbs4j.mlx5dv.Mlx5WcOpcode;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.Simulator;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A program for a simulated device: runs one case of keys with layouts by name, on the data path that the second
 * argument names. Prints {@code done} and the name.
 */
public final class MkeyCasesProgram {
    /** Where data start that are not behind a key. */
    private static final int PLAIN = MkeyRig.MEMORY / 2;

    private static final int ROUNDS = 300;
    private static final int POSTS = 6000;
    private static final int WINDOW = 300;
    private static final int INDIRECT = Mlx5MkeyFlags.INDIRECT;

    private MkeyCasesProgram() {}

    public static void main(String... args) {
        String path = args[1];
        Cases.run(args[0], name -> {
            run(name, path);
            Simulator.requireNoViolation();
        });
    }

    private static void run(String name, String path) {
        switch (name) {
            case "layouts" -> layouts(path, MkeyRig.ALL);
            case "oldLayouts" -> layouts(path, MkeyRig.OLD);
            case "oneOperation" -> oneOperation(path);
            case "access" -> access(path);
            case "invalidated" -> invalidated(path);
            case "refusals" -> refusals(path);
            case "full" -> full(path);
            case "received" -> received(path);
            case "longElements" -> longElements(path);
            case "failedChange" -> failedChange(path);
            case "allocations" -> allocations(path);
            case "lacking" -> lacking(path);
            default -> throw new IllegalArgumentException(name);
        }
    }

    // ---- layouts

    /** A layout, and the places in memory of the bytes behind it. */
    private static final class Layout {
        final Mlx5MkeyRequest request;
        final int[] bytes;

        Layout(Mlx5MkeyRequest request, int... bytes) {
            this.request = request;
            this.bytes = bytes;
        }
    }

    private static Layout list(MkeyRig rig, SplittableRandom random, int most) {
        int count = random.nextInt(1, most + 1);
        ScatterGatherElement[] pieces = new ScatterGatherElement[count];
        int[] bytes = new int[count * 200];
        int length = 0;
        for (int i = 0; i < count; i++) {
            int at = random.nextInt(PLAIN - 200);
            int size = random.nextInt(1, 201);
            pieces[i] = rig.element(at, size);
            for (int b = 0; b < size; b++) {
                bytes[length++] = at + b;
            }
        }
        return new Layout(MkeyRig.change(1).list(pieces), Arrays.copyOf(bytes, length));
    }

    private static Layout interleaved(MkeyRig rig, SplittableRandom random, int most) {
        int count = random.nextInt(1, most + 1);
        int rounds = random.nextInt(1, 9);
        Mlx5Interleaved[] pieces = new Mlx5Interleaved[count];
        int[] begins = new int[count];
        int[] sizes = new int[count];
        int[] strides = new int[count];
        int length = 0;
        for (int i = 0; i < count; i++) {
            sizes[i] = random.nextInt(1, 100);
            strides[i] = sizes[i] + random.nextInt(100);
            begins[i] = random.nextInt(PLAIN - rounds * strides[i]);
            pieces[i] = new Mlx5Interleaved(rig.mr.lkey(), rig.mr.addr() + begins[i], sizes[i], strides[i] - sizes[i]);
            length += sizes[i] * rounds;
        }
        int[] bytes = new int[length];
        int n = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < count; i++) {
                for (int b = 0; b < sizes[i]; b++) {
                    bytes[n++] = begins[i] + round * strides[i] + b;
                }
            }
        }
        return new Layout(MkeyRig.change(2).interleaved(rounds, pieces), bytes);
    }

    /** Random layouts: what is written or read through the key must be where a model says. */
    private static void layouts(String path, long sendOps) {
        SplittableRandom random = new SplittableRandom(17);
        try (MkeyRig rig = new MkeyRig(path, sendOps);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, INDIRECT, 12)) {
            for (int n = 0; n < ROUNDS; n++) {
                Layout layout = random.nextBoolean() ? list(rig, random, 12) : interleaved(rig, random, 11);
                assertThat(rig.done(layout.request.mkey(key).access(Mlx5Rig.ACCESS))
                                .opcode())
                        .isEqualTo(Mlx5WcOpcode.UMR);
                int total = layout.bytes.length;
                int from = random.nextInt(total);
                int length = random.nextInt(1, total - from + 1);
                switch (random.nextInt(4)) {
                    case 0 -> gather(rig, key, layout, from, length, WrOpcode.RDMA_WRITE);
                    case 1 -> scatter(rig, key, layout, from, length, WrOpcode.RDMA_WRITE);
                    case 2 -> gather(rig, key, layout, from, length, WrOpcode.RDMA_READ);
                    default -> scatter(rig, key, layout, from, length, WrOpcode.RDMA_READ);
                }
            }
        }
    }

    /** Moves bytes behind the key to plain memory: by a write from this side's key, or a read through the peer's. */
    private static void gather(MkeyRig rig, Mlx5Mkey key, Layout layout, int from, int length, int opcode) {
        rig.fill(0, PLAIN, from);
        rig.fill(PLAIN, PLAIN, length + 1);
        SendWorkRequest wr = opcode == WrOpcode.RDMA_WRITE
                ? MkeyRig.request(
                        opcode, MkeyRig.element(key.lkey(), from, length), rig.mr.rkey(), rig.mr.addr() + PLAIN)
                : MkeyRig.request(opcode, rig.element(PLAIN, length), key.rkey(), from);
        rig.done(wr, WcStatus.SUCCESS);
        for (int i = 0; i < length; i++) {
            assertThat(rig.memory.get(PLAIN + i)).isEqualTo(rig.memory.get(layout.bytes[from + i]));
        }
    }

    /** Moves bytes of plain memory to those behind the key, and to no others. */
    private static void scatter(MkeyRig rig, Mlx5Mkey key, Layout layout, int from, int length, int opcode) {
        rig.fill(0, PLAIN, from);
        rig.fill(PLAIN, PLAIN, length + 1);
        byte[] wanted = new byte[PLAIN];
        rig.memory.get(0, wanted);
        for (int i = 0; i < length; i++) {
            wanted[layout.bytes[from + i]] = rig.memory.get(PLAIN + i);
        }
        SendWorkRequest wr = opcode == WrOpcode.RDMA_WRITE
                ? MkeyRig.request(opcode, rig.element(PLAIN, length), key.rkey(), from)
                : MkeyRig.request(
                        opcode, MkeyRig.element(key.lkey(), from, length), rig.mr.rkey(), rig.mr.addr() + PLAIN);
        rig.done(wr, WcStatus.SUCCESS);
        byte[] got = new byte[PLAIN];
        rig.memory.get(0, got);
        assertThat(got).isEqualTo(wanted);
    }

    /** A queue pair created for one form accepts only requests of that form. */
    private static void oneOperation(String path) {
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.MR_LIST);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, INDIRECT, 4)) {
            Mlx5MkeyRequest r = MkeyRig.change(3).mkey(key).access(Mlx5Rig.ACCESS);
            assertThat(rig.dv.postSend(rig.qp, r)).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(rig.dv.postSend(
                            rig.qp, r.interleaved(1, new Mlx5Interleaved(rig.mr.lkey(), rig.mr.addr(), 8, 0))))
                    .isEqualTo(Errno.EOPNOTSUPP);
            assertThat(rig.done(r.list(rig.element(0, 8))).opcode()).isEqualTo(Mlx5WcOpcode.UMR);
            rig.done(MkeyRig.request(WrOpcode.RDMA_WRITE, rig.element(PLAIN, 8), key.rkey(), 0), WcStatus.SUCCESS);
        }
    }

    /** Changes access while the layout stays, and the other way round. */
    private static void access(String path) {
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.MKEY_CONFIGURE);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, INDIRECT, 4)) {
            Mlx5MkeyRequest r = MkeyRig.change(4).mkey(key);
            rig.done(r.access(Mlx5Rig.ACCESS).list(rig.element(8, 16)));
            SendWorkRequest write = MkeyRig.request(WrOpcode.RDMA_WRITE, rig.element(PLAIN, 16), key.rkey(), 0);
            rig.done(write, WcStatus.SUCCESS);
            rig.done(r.clear().access(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ));
            rig.done(MkeyRig.request(WrOpcode.RDMA_READ, rig.element(PLAIN, 16), key.rkey(), 0), WcStatus.SUCCESS);
            rig.done(write, WcStatus.REM_ACCESS_ERR);
            rig.reconnect();
            rig.done(r.clear().access(Mlx5Rig.ACCESS));
            rig.done(r.clear().list(rig.element(100, 3)));
            rig.done(write, WcStatus.REM_ACCESS_ERR); // longer than it is now
            rig.reconnect();
            rig.fill(PLAIN, 16, 99);
            write.sgList()[0].length(3);
            rig.done(write, WcStatus.SUCCESS);
            assertThat(rig.memory.get(102)).isEqualTo(rig.memory.get(PLAIN + 2));
            rig.done(r.clear()); // changes nothing
            rig.done(write, WcStatus.SUCCESS);
        }
    }

    private static void invalidated(String path) {
        try (MkeyRig rig = new MkeyRig(path, MkeyRig.ALL);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, INDIRECT, 4)) {
            SendWorkRequest write = MkeyRig.request(WrOpcode.RDMA_WRITE, rig.element(PLAIN, 16), key.rkey(), 0);
            rig.done(write, WcStatus.REM_ACCESS_ERR); // the key refers to nothing yet
            rig.reconnect();
            rig.done(MkeyRig.change(5).mkey(key).access(Mlx5Rig.ACCESS).list(rig.element(8, 16)));
            rig.done(write, WcStatus.SUCCESS);
            SendWorkRequest invalidate = MkeyRig.request(WrOpcode.LOCAL_INV, rig.element(0, 0), 0, 0)
                    .sgList(new ScatterGatherElement[0], 0)
                    .invalidateRkey(key.lkey());
            assertThat(rig.done(invalidate, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.LOCAL_INV);
            rig.done(write, WcStatus.REM_ACCESS_ERR);
            rig.reconnect();
            rig.done(MkeyRig.change(6).mkey(key).access(Mlx5Rig.ACCESS).list(rig.element(8, 16)));
            rig.done(write, WcStatus.SUCCESS);
        }
    }

    private static void refusals(String path) {
        try (MkeyRig rig = new MkeyRig(path, MkeyRig.ALL);
                MkeyRig other = new MkeyRig(path, MkeyRig.ALL);
                Mlx5Rig plain = new Mlx5Rig("mlx5_0", path, QpType.RC, rig.memory)) {
            refused(Errno.EOPNOTSUPP, "Mlx5MkeyFlags", () -> rig.dv.createMkey(rig.pd, 0, 4));
            refused(Errno.EOPNOTSUPP, "0x81", () -> rig.dv.createMkey(rig.pd, 0x81, 4));
            refused(Errno.EINVAL, "maxEntries", () -> rig.dv.createMkey(rig.pd, INDIRECT, 0));
            refused(Errno.EINVAL, "maxEntries", () -> rig.dv.createMkey(rig.pd, INDIRECT, 65536));
            refused(Errno.EINVAL, "pd", () -> rig.dv.createMkey(other.pd, INDIRECT, 4));
            refused(Errno.EINVAL, "pd", () -> rig.dv.createMkey(null, INDIRECT, 4));
            Mlx5Mkey key = rig.dv.createMkey(rig.pd, INDIRECT, 5);
            refused(Errno.EBUSY, "dealloc_pd", rig.pd::close);
            Mlx5MkeyRequest r = MkeyRig.change(7).access(Mlx5Rig.ACCESS).list(rig.element(0, 8));
            assertThat(rig.dv.postSend(rig.qp, r)).isEqualTo(Errno.EINVAL); // without a key
            r.mkey(key);
            assertThat(rig.dv.postSend(null, r)).isEqualTo(Errno.EINVAL);
            assertThat(rig.dv.postSend(rig.qp, null)).isEqualTo(Errno.EINVAL);
            assertThat(rig.dv.postSend(other.qp, r)).isEqualTo(Errno.EINVAL);
            assertThat(plain.context.vendor(Mlx5Dv.class).postSend(plain.qp, r))
                    .isEqualTo(Errno.EOPNOTSUPP); // not created for such requests
            ScatterGatherElement[] pieces = new ScatterGatherElement[9]; // 5 are rounded up to 8, in fours
            Arrays.fill(pieces, rig.element(0, 1));
            assertThat(rig.dv.postSend(rig.qp, r.list(pieces))).isEqualTo(Errno.EINVAL);
            Mlx5Interleaved[] ofRound = new Mlx5Interleaved[8];
            Arrays.fill(ofRound, new Mlx5Interleaved(rig.mr.lkey(), rig.mr.addr(), 1, 1));
            assertThat(rig.dv.postSend(rig.qp, r.interleaved(2, ofRound))).isEqualTo(Errno.EINVAL);
            rig.done(r.interleaved(2, Arrays.copyOf(ofRound, 7)));
            rig.done(r.list(Arrays.copyOf(pieces, 8)));
            assertThat(rig.dv.postSend(rig.qp, r.list(rig.element(0, 0)))).isEqualTo(Errno.EINVAL);
            assertThat(rig.dv.postSend(rig.qp, r.list(rig.element(0, 1), null))).isEqualTo(Errno.EINVAL);
            refused(Errno.EINVAL, "pieces", r::list);
            refused(Errno.EINVAL, "pieces", () -> r.interleaved(1));
            refused(Errno.EINVAL, "rounds", () -> r.interleaved(0, new Mlx5Interleaved(1, 2, 3, 4)));
            refused(Errno.EINVAL, "skips", () -> r.interleaved(1, new Mlx5Interleaved(1, 2, 0, 4)));
            refused(Errno.EINVAL, "skips", () -> r.interleaved(1, new Mlx5Interleaved(1, 2, 1, 65535)));
            refused(Errno.EINVAL, "skips", () -> r.interleaved(1, new Mlx5Interleaved(1, 2, 1, -1)));
            refused(Errno.EINVAL, "skips", () -> r.interleaved(1, new Mlx5Interleaved(1, 2, Integer.MAX_VALUE, 1)));
            refused(Errno.EINVAL, "MW_BIND", () -> r.access(AccessFlags.MW_BIND));
            QpWalk.reset(rig.qp);
            assertThat(rig.dv.postSend(rig.qp, r.list(rig.element(0, 8)))).isEqualTo(Errno.EINVAL);
            rig.reconnect();
            rig.done(r);
            key.close();
            key.close();
            refused(Errno.EINVAL, "closed", key::lkey);
            refused(Errno.EINVAL, "closed", key::rkey);
            assertThat(rig.dv.postSend(rig.qp, r)).isEqualTo(Errno.EINVAL);
            rig.qp.close();
            assertThat(rig.dv.postSend(rig.qp, r)).isEqualTo(Errno.EINVAL);
        }
    }

    /** A full queue accepts no more, and executes what it has accepted as if nothing had been refused. */
    private static void full(String path) {
        try (MkeyRig rig = new MkeyRig(path, MkeyRig.ALL);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, INDIRECT, 4)) {
            for (int round = 0; round < 5; round++) {
                int posted = 0;
                int error = 0;
                while (error == 0) {
                    Mlx5MkeyRequest r = MkeyRig.change(100 + posted)
                            .mkey(key)
                            .access(Mlx5Rig.ACCESS)
                            .list(rig.element(posted, 1));
                    error = rig.dv.postSend(rig.qp, r);
                    posted += error == 0 ? 1 : 0;
                }
                assertThat(error).isEqualTo(Errno.ENOMEM);
                assertThat(posted).isBetween(MkeyRig.DEPTH / 4, 64);
                assertThat(rig.dv.postSend(rig.qp, MkeyRig.change(1).mkey(key))).isEqualTo(Errno.ENOMEM);
                for (int i = 0; i < posted; i++) {
                    rig.completion(100 + i, WcStatus.SUCCESS);
                }
                rig.memory.put(posted - 1, (byte) 0);
                rig.memory.put(PLAIN, (byte) 77);
                rig.done(MkeyRig.request(WrOpcode.RDMA_WRITE, rig.element(PLAIN, 1), key.rkey(), 0), WcStatus.SUCCESS);
                assertThat(rig.memory.get(posted - 1)).isEqualTo((byte) 77);
            }
        }
    }

    /** Receives a few bytes through a key: the device writes them there, not into the completion. */
    private static void received(String path) {
        try (MkeyRig rig = new MkeyRig(path, Mlx5SendOps.MR_LIST);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, INDIRECT, 4)) {
            rig.done(MkeyRig.change(8).mkey(key).access(Mlx5Rig.ACCESS).list(rig.element(100, 3), rig.element(50, 5)));
            rig.fill(PLAIN, 8, 3);
            RecvWorkRequest receive = new RecvWorkRequest().wrId(9).sgList(MkeyRig.element(key.lkey(), 0, 8));
            assertThat(rig.peer.postRecv(receive)).isZero();
            rig.done(MkeyRig.request(WrOpcode.SEND, rig.element(PLAIN, 8), 0, 0), WcStatus.SUCCESS);
            assertThat(rig.peerCq.poll(1, rig.wc)).isEqualTo(1);
            assertThat(rig.wc[0].status()).isEqualTo(WcStatus.SUCCESS);
            for (int i = 0; i < 8; i++) {
                assertThat(rig.memory.get(i < 3 ? 100 + i : 47 + i)).isEqualTo(rig.memory.get(PLAIN + i));
            }
        }
    }

    /** Java accepts elements longer than the queue pair was created for; they take the room of several requests. */
    private static void longElements(String path) {
        try (MkeyRig rig = new MkeyRig(path, MkeyRig.ALL);
                QueuePair qp = rig.queuePair(rig.cq, Mlx5SendOps.MKEY_CONFIGURE | Mlx5SendOps.RAW_WQE, 0);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, INDIRECT, 64)) {
            Mlx5Rig.connect(rig.context, qp, qp.qpNum());
            ScatterGatherElement[] most = new ScatterGatherElement[52];
            for (int i = 0; i < most.length; i++) {
                most[i] = rig.element(i * 3, 1);
            }
            Mlx5MkeyRequest r = MkeyRig.change(10).mkey(key).access(Mlx5Rig.ACCESS);
            for (int round = 0; round < 10; round++) {
                int posted = 0;
                while (rig.dv.postSend(qp, r.list(most)) == 0) {
                    posted++;
                }
                assertThat(rig.dv.postSend(qp, r)).isEqualTo(Errno.ENOMEM);
                assertThat(posted).isBetween(2, MkeyRig.DEPTH - 1);
                for (int i = 0; i < posted; i++) {
                    rig.completion(10, WcStatus.SUCCESS);
                }
            }
            rig.fill(PLAIN, 52, 8);
            rig.done(MkeyRig.request(WrOpcode.RDMA_WRITE, rig.element(PLAIN, 52), key.rkey(), 0), WcStatus.SUCCESS);
            for (int i = 0; i < 52; i++) {
                assertThat(rig.memory.get(i * 3)).isEqualTo(rig.memory.get(PLAIN + i));
            }
            ScatterGatherElement[] tooMany = new ScatterGatherElement[53];
            Arrays.fill(tooMany, rig.element(0, 1));
            assertThat(rig.dv.postSend(qp, r.list(tooMany))).isEqualTo(Errno.EINVAL);
        }
    }

    /** A failed change does not affect a key of the verbs that was registered earlier at the same place of the ring. */
    private static void failedChange(String path) {
        try (MkeyRig rig = new MkeyRig(path, MkeyRig.ALL);
                MemoryRegion other = rig.pd.allocMrKey(new MrKeyInitAttr().maxEntries(4));
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, INDIRECT, 4)) {
            for (int places = 0; places < 400; places++) {
                int number = MemoryWindow.incRkey(other.rkey());
                rig.done(
                        new SendWorkRequest()
                                .wrId(1)
                                .opcode(WrOpcode.REG_MR)
                                .sendFlags(SendFlags.SIGNALED)
                                .sgList(rig.element(places, 16))
                                .fastRegister(new FastRegister()
                                        .mr(other)
                                        .key(number)
                                        .access(Mlx5Rig.ACCESS)
                                        .addr(0)),
                        WcStatus.SUCCESS);
                assertThat(other.rkey()).isEqualTo(number);
                rig.done(
                        MkeyRig.request(WrOpcode.LOCAL_INV, rig.element(0, 0), 0, 0)
                                .sgList(new ScatterGatherElement[0], 0)
                                .invalidateRkey(number),
                        WcStatus.SUCCESS);
            }
            int last = other.rkey();
            Simulator.device_sim_fault(rig.qp.qpNum(), Simulator.ERROR, 0x04, 1);
            assertThat(rig.dv.postSend(
                            rig.qp,
                            MkeyRig.change(2).mkey(key).access(Mlx5Rig.ACCESS).list(rig.element(0, 8))))
                    .isZero();
            Simulator.pump();
            assertThat(rig.cq.poll(1, rig.wc)).isEqualTo(1);
            assertThat(rig.wc[0].status()).isNotEqualTo(WcStatus.SUCCESS);
            assertThat(other.rkey()).isEqualTo(last);
        }
    }

    /** After warming up, a post allocates nothing. */
    private static void allocations(String path) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (MkeyRig rig = new MkeyRig(path, MkeyRig.ALL);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, INDIRECT, 4)) {
            Mlx5MkeyRequest list =
                    MkeyRig.change(1).mkey(key).access(Mlx5Rig.ACCESS).list(rig.element(0, 8));
            Mlx5MkeyRequest rounds =
                    MkeyRig.change(2).mkey(key).interleaved(3, new Mlx5Interleaved(rig.mr.lkey(), rig.mr.addr(), 8, 8));
            Mlx5RawRequest raw = new Mlx5RawRequest()
                    .descriptor(3, RawRequestsProgram.inlineWrite(rig, RawRequestsProgram.CQ_UPDATE, 0, 4096, 8));
            long allocated = 0;
            long least = Long.MAX_VALUE;
            for (int i = 1; i <= POSTS; i++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                int error =
                        rig.dv.postSend(rig.qp, list) | rig.dv.postSend(rig.qp, rounds) | rig.dv.postSend(rig.qp, raw);
                allocated += threads.getCurrentThreadAllocatedBytes() - before;
                assertThat(error).isZero();
                for (int id = 1; id <= 3; id++) {
                    rig.completion(id, WcStatus.SUCCESS);
                }
                if (i % WINDOW == 0) {
                    least = Math.min(least, allocated);
                    allocated = 0;
                }
            }
            assertThat(least).isZero();
        }
    }

    /** Release 33 has lists and interleaved layouts, and nothing else. */
    private static void lacking(String path) {
        try (MkeyRig rig = new MkeyRig(path, MkeyRig.OLD);
                Mlx5Mkey key = rig.dv.createMkey(rig.pd, INDIRECT, 4)) {
            refused(Errno.ENOSYS, "_mlx5dv_mkey_check", key::check);
            refused(Errno.ENOSYS, "36", key::check);
            for (long op : new long[] {Mlx5SendOps.MKEY_CONFIGURE, Mlx5SendOps.RAW_WQE, Mlx5SendOps.MEMCPY}) {
                refused(Errno.EOPNOTSUPP, "create_qp", () -> rig.queuePair(rig.cq, op));
            }
        }
    }
}
