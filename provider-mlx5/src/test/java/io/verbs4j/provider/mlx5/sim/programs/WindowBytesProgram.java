/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
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
 * other, many of them about memory windows of type 2, and compares each byte of both rings, except those that libmlx5
 * leaves unchanged, and each completion. Arguments: the number of requests, a seed, and libmlx5's data path. A single
 * argument says that libmlx5 is too old to be allowed to bind.
 */
public final class WindowBytesProgram {
    private static final int MEMORY = 1 << 16;
    private static final int WINDOWS = 4;
    private static final int RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
    private static final int BLOCK = 64;
    private static final int OP_UMR = 0x25;
    private static final int KEY_CONTEXT = 64;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
    private final Random random;
    private final String path;
    private final long[] done = new long[16];
    private Bound ours;
    private Bound theirs;
    private BuiltPosts built;
    private boolean[] loose; // bytes of the ring that may differ
    private int block;
    private long completions;
    private long failures;

    /**
     * The objects of one device; both devices have the same. The first half of the windows is for the queue pair, the
     * second for its peer.
     */
    private static final class Bound implements AutoCloseable {
        final Mlx5Rig rig;
        final MemoryRegion mr;
        final MemoryWindow[] mw = new MemoryWindow[WINDOWS];
        final WorkCompletion[] wc = {new WorkCompletion()};

        Bound(String device, String path, int type, ByteBuffer memory) {
            rig = new Mlx5Rig(device, path, type, memory);
            mr = rig.pd.regMr(memory, Mlx5Rig.ACCESS | AccessFlags.MW_BIND);
            for (int i = 0; i < WINDOWS; i++) {
                mw[i] = rig.pd.allocMw(MwType.TYPE_2);
            }
        }

        @Override
        public void close() {
            Arrays.stream(mw).forEach(MemoryWindow::close);
            mr.close();
            rig.close();
        }
    }

    private WindowBytesProgram(long seed, String path) {
        random = new Random(seed);
        this.path = path;
    }

    public static void main(String... args) {
        if (args.length == 1) {
            old();
            return;
        }
        WindowBytesProgram test = new WindowBytesProgram(Long.parseLong(args[1]), args[2]);
        test.run(Integer.parseInt(args[0]), QpType.RC);
        test.run(Integer.parseInt(args[0]) / 4, QpType.UC);
        System.out.println("same windows, " + test.completions + " completions, " + test.failures
                + " failures, opcodes " + Arrays.toString(test.done) + ", violations " + Simulator.violations());
    }

    /** Nothing can be bound through libmlx5, as the attributes report; Java's path can bind. */
    private static void old() {
        for (String path : new String[] {"java", "native"}) {
            try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", path, QpType.RC, ByteBuffer.allocateDirect(MEMORY))) {
                boolean has = path.equals("java");
                long wanted = DeviceCap.MEM_WINDOW | DeviceCap.MEM_WINDOW_TYPE_2B | DeviceCap.MEM_MGT_EXTENSIONS;
                same("capabilities", (int) (rig.context.queryDevice().deviceCaps() & wanted), has ? (int) wanted : 0);
                same("more", (int) (rig.context.queryDeviceEx().deviceCapFlagsEx() & wanted), has ? (int) wanted : 0);
                for (int type : new int[] {MwType.TYPE_1, MwType.TYPE_2}) {
                    try (MemoryWindow mw = rig.pd.allocMw(type)) {
                        require(has, "there is " + mw);
                    } catch (VerbsException e) {
                        require(!has && e.errno() == Errno.EOPNOTSUPP, e.getMessage());
                    }
                }
                if (!has) {
                    same("bind", rig.qp.postSend(local(WrOpcode.BIND_MW, 1)), Errno.EOPNOTSUPP);
                    same("invalidate", rig.qp.postSend(local(WrOpcode.LOCAL_INV, 1)), Errno.EOPNOTSUPP);
                    same("message", rig.qp.postSend(local(WrOpcode.SEND_WITH_INV, 1)), Errno.EOPNOTSUPP);
                    require(rig.qp.explain(local(WrOpcode.LOCAL_INV, 1)) != null, "it is not explained");
                }
            }
        }
        System.out.println("old libmlx5 binds nothing");
    }

    private void run(int count, int type) {
        try (Bound a = new Bound("mlx5_1", "java", type, memory);
                Bound b = new Bound("mlx5_0", path, type, memory)) {
            ours = a;
            theirs = b;
            built = new BuiltPosts(a.rig.qp);
            require(!a.rig.qp.getClass().equals(b.rig.qp.getClass()), "both have the same data path");
            loose = new boolean[ring(a).sqCount() * BLOCK];
            block = 0;
            if (type == QpType.RC) {
                inOrder();
            }
            for (int i = 0; i < count; i++) {
                step(type);
                if (type == QpType.UC || i % 50 == 49) {
                    fail();
                }
            }
            require(Simulator.device_sim_check_idle() == 0, Simulator.message());
        }
    }

    // ---- requests, drawn once for both devices

    /** The key of each window after a whole list is posted, and whether it is bound then. */
    private final int[] keys = new int[WINDOWS];

    private final boolean[] bound = new boolean[WINDOWS];

    private void takeKeys() {
        for (int i = 0; i < WINDOWS; i++) {
            same("key", ours.mw[i].rkey(), theirs.mw[i].rkey());
            keys[i] = ours.mw[i].rkey();
        }
    }

    private static SendWorkRequest local(int opcode, long id) {
        return new SendWorkRequest().opcode(opcode).wrId(id).sendFlags(SendFlags.SIGNALED);
    }

    private SendWorkRequest bind(Bound on, int window, int key, long offset, long length, int rights) {
        return local(WrOpcode.BIND_MW, window)
                .mw(on.mw[window])
                .mwRkey(key)
                .mwBind(new MwBind()
                        .mr(on.mr)
                        .addr(on.mr.addr() + offset)
                        .length(length)
                        .mwAccessFlags(rights));
    }

    private SendWorkRequest data(Bound on, int opcode, long id, int offset, int length) {
        return local(opcode, id)
                .remoteAddr(on.rig.mr.addr() + 8L * offset)
                .rkey(on.rig.mr.rkey())
                .sgList(ScatterGatherElement.of(on.rig.mr, 0, 0)
                        .addr(on.rig.mr.addr() + offset)
                        .length(length));
    }

    /** Checks fences: each element behind a key change waits, by one means or the other. */
    private void inOrder() {
        takeKeys();
        int key = MemoryWindow.incRkey(keys[0]);
        receive(1);
        SendWorkRequest[] lists = new SendWorkRequest[2];
        for (int i = 0; i < 2; i++) {
            Bound on = i == 0 ? ours : theirs;
            SendWorkRequest send = data(on, WrOpcode.SEND, 5, 0, 100).sendFlags(SendFlags.SIGNALED | SendFlags.FENCE);
            SendWorkRequest takes =
                    local(WrOpcode.LOCAL_INV, 4).invalidateRkey(key).next(send);
            SendWorkRequest second = data(on, WrOpcode.RDMA_WRITE, 3, 0, 100).next(takes);
            SendWorkRequest binds = bind(on, 0, key, 8, 800, RIGHTS).next(second);
            lists[i] = data(on, WrOpcode.RDMA_WRITE, 2, 0, 100).next(binds);
        }
        post(lists, 5);
        long ring = ring(ours).sqBuf();
        int[] begins = {0, 1, 4, 5, 7}; // in blocks
        int[] fences = {0, 0, 1, 0, 4};
        for (int i = 0; i < begins.length; i++) {
            same("fence of element " + i, NativeMemory.getByte(ring + (long) begins[i] * BLOCK + 11) >>> 5, fences[i]);
        }
        require(NativeMemory.getInt(ring(ours).dbrec() + 4) == NativeMemory.fromNetwork(8), "there are eight blocks");
        post(new SendWorkRequest[] {bind(ours, 0, key, 0, 1, 0), bind(theirs, 0, key, 0, 1, 0)}, 1);
        SendWorkRequest[] later = {
            data(ours, WrOpcode.RDMA_WRITE, 6, 0, 100), data(theirs, WrOpcode.RDMA_WRITE, 6, 0, 100)
        };
        post(later, 1);
        same("fence of a later post", NativeMemory.getByte(ring + 11L * BLOCK + 11) >>> 5, 1);
        bound[0] = true;
    }

    private void receive(int n) {
        for (int i = 0; i < n; i++) {
            same("receive", ours.rig.peer.postRecv(receive(ours)), theirs.rig.peer.postRecv(receive(theirs)));
        }
    }

    private static RecvWorkRequest receive(Bound on) {
        return new RecvWorkRequest().wrId(9).sgList(ScatterGatherElement.of(on.rig.mr, 40_000, 4096));
    }

    private void step(int type) {
        takeKeys();
        if (random.nextInt(3) == 0 && type == QpType.RC) {
            bindOfPeer();
        }
        int n = 1 + random.nextInt(3);
        receive(n);
        SendWorkRequest[] first = new SendWorkRequest[2];
        SendWorkRequest[] last = new SendWorkRequest[2];
        for (int i = 0; i < n; i++) {
            SendWorkRequest[] pair = type == QpType.RC ? any() : anyUnreliable();
            int flags = SendFlags.SIGNALED
                    | (random.nextInt(4) == 0 ? SendFlags.FENCE : 0)
                    | (random.nextInt(4) == 0 ? SendFlags.SOLICITED : 0);
            for (int j = 0; j < 2; j++) {
                pair[j].sendFlags(flags);
                first[j] = first[j] == null ? pair[j] : first[j];
                last[j] = last[j] == null ? pair[j] : last[j].next(pair[j]).next();
            }
        }
        post(first, n);
        takeKeys();
        use();
        refill();
    }

    private SendWorkRequest[] any() {
        int mine = random.nextInt(WINDOWS / 2);
        int peers = WINDOWS / 2 + random.nextInt(WINDOWS / 2);
        int what = random.nextInt(5);
        if (what == 0 && bound[peers]) {
            bound[peers] = false;
            SendWorkRequest[] pair = pair(WrOpcode.SEND_WITH_INV, 20);
            return new SendWorkRequest[] {pair[0].invalidateRkey(keys[peers]), pair[1].invalidateRkey(keys[peers])};
        }
        if (what == 1) {
            return pair(random.nextBoolean() ? WrOpcode.SEND : WrOpcode.RDMA_WRITE, 21);
        }
        if (what == 2 && bound[mine]) { // without a length: ends the bind
            bound[mine] = false;
            keys[mine] = MemoryWindow.incRkey(keys[mine]);
            return new SendWorkRequest[] {bind(ours, mine, keys[mine], 0, 0, 0), bind(theirs, mine, keys[mine], 0, 0, 0)
            };
        }
        return bound[mine] ? takesBack(mine) : binds(mine);
    }

    private SendWorkRequest[] anyUnreliable() {
        int mine = random.nextInt(WINDOWS / 2);
        return random.nextBoolean() ? pair(WrOpcode.SEND, 23) : bound[mine] ? takesBack(mine) : binds(mine);
    }

    private SendWorkRequest[] takesBack(int window) {
        bound[window] = false;
        return new SendWorkRequest[] {
            local(WrOpcode.LOCAL_INV, 22).invalidateRkey(keys[window]),
            local(WrOpcode.LOCAL_INV, 22).invalidateRkey(keys[window])
        };
    }

    private SendWorkRequest[] binds(int window) {
        bound[window] = true;
        keys[window] = keys[window] & ~0xff | random.nextInt(0x100);
        long offset = random.nextInt(1000);
        long length = 1L + random.nextInt(20_000);
        int rights = random.nextInt() & RIGHTS;
        return new SendWorkRequest[] {
            bind(ours, window, keys[window], offset, length, rights),
            bind(theirs, window, keys[window], offset, length, rights)
        };
    }

    private SendWorkRequest[] pair(int opcode, long id) {
        int offset = random.nextInt(1000);
        int length = 40 + random.nextInt(1000);
        return new SendWorkRequest[] {data(ours, opcode, id, offset, length), data(theirs, opcode, id, offset, length)};
    }

    /** Makes the peer invalidate a key. */
    private void bindOfPeer() {
        int window = WINDOWS / 2 + random.nextInt(WINDOWS / 2);
        if (bound[window]) {
            return;
        }
        SendWorkRequest[] pair = binds(window);
        same("post", ours.rig.peer.postSend(pair[0]), theirs.rig.peer.postSend(pair[1]));
        work();
        takeKeys();
    }

    /** The peer reads through each window that it may, with the same result on both devices. */
    private void use() {
        for (int i = 0; i < WINDOWS / 2; i++) {
            require(!bound[i] || keys[i] == ours.mw[i].rkey(), "not the requested key");
        }
    }

    /** Keeps unused receives from piling up. */
    private void refill() {
        work();
    }

    /** A bound window cannot be bound again: the queue pair fails, and the window keeps its key. */
    private void fail() {
        int window = random.nextInt(WINDOWS / 2);
        takeKeys();
        if (!bound[window]) {
            post(binds(window), 1);
            takeKeys();
        }
        int before = keys[window];
        failures++;
        SendWorkRequest[] pair = {
            bind(ours, window, before ^ 1, 0, 10, 0).next(data(ours, WrOpcode.RDMA_WRITE, 30, 0, 10)),
            bind(theirs, window, before ^ 1, 0, 10, 0).next(data(theirs, WrOpcode.RDMA_WRITE, 30, 0, 10))
        };
        same("post", ours.rig.qp.postSend(pair[0]), theirs.rig.qp.postSend(pair[1]));
        same("the key from the post on", ours.mw[window].rkey(), before ^ 1);
        same("the key from the post on", theirs.mw[window].rkey(), before ^ 1);
        work();
        same("the key after the failure", ours.mw[window].rkey(), before);
        same("the key after the failure", theirs.mw[window].rkey(), before);
        ours.rig.reconnect();
        theirs.rig.reconnect();
        Arrays.fill(loose, true); // both start again, on old ring contents
        block = 0;
        for (int i = 0; i < WINDOWS; i++) {
            ours.mw[i].close();
            theirs.mw[i].close();
            ours.mw[i] = ours.rig.pd.allocMw(MwType.TYPE_2);
            theirs.mw[i] = theirs.rig.pd.allocMw(MwType.TYPE_2);
            bound[i] = false;
        }
    }

    // ---- comparison

    private void post(SendWorkRequest[] lists, int n) {
        int posted = random.nextBoolean() ? ours.rig.qp.postSend(lists[0]) : built.post(lists[0]);
        same("post of " + lists[0], posted, theirs.rig.qp.postSend(lists[1]));
        DvObjects.Qp a = ring(ours);
        DvObjects.Qp b = ring(theirs);
        same("blocks", a.sqCount(), b.sqCount());
        same("record", NativeMemory.getInt(a.dbrec() + 4), NativeMemory.getInt(b.dbrec() + 4));
        if (path.equals("native-wr")) {
            ImmediateWords.clear(theirs.rig.qp, block);
        }
        for (int i = 0; i < n; i++) {
            loosen(b.sqBuf(), b.sqCount());
        }
        require(
                NativeMemory.fromNetwork(block & 0xffff) == NativeMemory.getInt(a.dbrec() + 4),
                "all of it was checked");
        for (int i = 0; i < a.sqCount() * BLOCK; i++) {
            int x = NativeMemory.getByte(a.sqBuf() + i);
            int y = NativeMemory.getByte(b.sqBuf() + i);
            if (x != y && !loose[i]) { // formatting messages for bytes that may differ would take most of the time
                require(false, difference(i, a.sqBuf(), b.sqBuf()) + " after " + lists[0]);
            }
            loose[i] = x != y;
        }
        work();
    }

    /** Marks the bytes that libmlx5 does not write of the next element. It writes all others. */
    private void loosen(long ring, int blocks) {
        long at = ring + (long) (block & blocks - 1) * BLOCK;
        int operation = NativeMemory.getByte(at + 3);
        int size = (NativeMemory.getByte(at + 7) & 0x3f) * 16;
        boolean binds = size == 192;
        for (int i = 0; i < size; i++) {
            int there = (int) ((at - ring + i) % loose.length);
            int of = i - KEY_CONTEXT;
            boolean known = operation != OP_UMR
                    || of < 0
                    || of >= BLOCK
                    || of == 0
                    || of >= 4 && of < 8
                    || binds && (of == 2 || of >= 16 && of < 32);
            loose[there] = !known;
        }
        block += (size + BLOCK - 1) / BLOCK;
    }

    private static String difference(int at, long ours, long theirs) {
        StringBuilder text =
                new StringBuilder("byte " + at % BLOCK + " of block " + at / BLOCK + " differs\n ours    libmlx5");
        for (int i = at & -BLOCK; i < (at & -BLOCK) + BLOCK; i += Integer.BYTES) {
            text.append(String.format(
                    "%n %08x %08x", NativeMemory.getNetInt(ours + i), NativeMemory.getNetInt(theirs + i)));
        }
        return text.toString();
    }

    private static DvObjects.Qp ring(Bound on) {
        return ring(on.rig.qp);
    }

    private static DvObjects.Qp ring(QueuePair qp) {
        return DvObjects.qp(((NativeQueuePair) qp).ibv.address());
    }

    private void work() {
        Simulator.pump();
        while (poll(ours.rig.cq, theirs.rig.cq) + poll(ours.rig.peerCq, theirs.rig.peerCq) != 0) {
            completions++;
        }
        require(Simulator.violations() == 0, Simulator.message());
    }

    private int poll(CompletionQueue a, CompletionQueue b) {
        int got = a.poll(1, ours.wc);
        same("completions", got, b.poll(1, theirs.wc));
        if (got == 1) {
            WorkCompletion x = ours.wc[0];
            WorkCompletion y = theirs.wc[0];
            same("status", x.status(), y.status());
            require(x.wrId() == y.wrId(), "id " + x.wrId() + ", libmlx5 " + y.wrId());
            if (x.status() == WcStatus.SUCCESS) {
                same("opcode", x.opcode(), y.opcode());
                if (x.opcode() < done.length) {
                    done[x.opcode()]++;
                }
                boolean inverse = (x.wcFlags() & WcFlags.WITH_INV) != 0;
                same("flag", x.wcFlags() & WcFlags.WITH_INV, y.wcFlags() & WcFlags.WITH_INV);
                if (inverse) {
                    require(x.opcode() == WcOpcode.RECV && x.wrId() == 9, "an invalidated key comes with a receive");
                    done[15]++;
                    same("key", x.invalidatedRkey(), y.invalidatedRkey());
                }
            } else {
                same("vendor's error", x.vendorErr(), y.vendorErr());
            }
        }
        return got;
    }

    private static void same(String what, int ours, int theirs) {
        require(ours == theirs, what + ": " + ours + ", libmlx5 " + theirs);
    }
}
