/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.efadv.EfaDv;
import io.verbs4j.efadv.EfaQpFlags;
import io.verbs4j.efadv.EfaQpInitAttr;
import io.verbs4j.efadv.EfaWorkQueue;
import io.verbs4j.efadv.EfaWqCaps;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.SimulatedDevice;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Posts the same random requests through libefa on one simulated device and through Java on another, some of them by a
 * builder. Compares each byte of their rings, the doorbells and each completion. Each side chooses its own request
 * numbers, unless the device uses the program's whole id. Arguments: the number of requests, a seed, and libefa's path.
 */
public final class RequestBytesProgram {
    private static final int MEMORY = 1 << 16;
    private static final int DEPTH = 16;

    /** One of the two devices. */
    private static final class Side {
        final Context context;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final MemoryRegion mr;
        final AddressHandle ah;
        final QueuePair qp;
        final QueuePair peer;
        final EfaWorkQueue sends;
        final EfaWorkQueue receives;
        final SendBuilder builder;
        final WorkCompletion[] wc = {new WorkCompletion()};

        Side(String name, String path, ByteBuffer memory, int type, int inline) {
            System.setProperty("io.verbs4j.efa.path", path);
            context = SimulatedDevice.open(name);
            pd = context.allocPd();
            cq = context.createCq(4 * DEPTH);
            int access = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE;
            mr = pd.regMr(memory, access);
            ah = pd.createAh(EfaRig.way(context));
            qp = make(type, inline);
            peer = make(type, inline);
            EfaRig.ready(qp);
            EfaRig.ready(peer);
            EfaDv efa = context.vendor(EfaDv.class);
            sends = efa.querySendQueue(qp);
            receives = efa.queryReceiveQueue(peer);
            builder = qp.builder();
        }

        private QueuePair make(int type, int inline) {
            QpInitAttr attr = new QpInitAttr()
                    .qpType(type)
                    .sendCq(cq)
                    .recvCq(cq)
                    .cap(new QpCap()
                            .maxSendWr(DEPTH)
                            .maxRecvWr(DEPTH)
                            .maxSendSge(2)
                            .maxRecvSge(3)
                            .maxInlineData(inline));
            if (type != QpType.DRIVER || inline <= 32) {
                return pd.createQp(attr);
            }
            return context.createQpEx(
                    QpInitAttrEx.of(pd, attr).vendor(new EfaQpInitAttr().flags(EfaQpFlags.INLINE_WRITE)));
        }

        void close() {
            qp.close();
            peer.close();
            ah.close();
            mr.close();
            cq.close();
            pd.close();
            context.close();
        }
    }

    private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
    private final Set<Long> reads = new HashSet<>();
    private final Random random;
    private final String path;
    private Side efa;
    private Side java;
    private int type;
    private int inline;
    private long posts;
    private long refused;
    private long completions;

    private RequestBytesProgram(long seed, String path) {
        random = new Random(seed);
        this.path = path;
    }

    public static void main(String... args) {
        int count = Integer.parseInt(args[0]);
        RequestBytesProgram test = new RequestBytesProgram(Long.parseLong(args[1]), args[2]);
        test.run(QpType.DRIVER, 32, count);
        test.run(QpType.DRIVER, 80, count);
        test.run(QpType.UD, 32, count);
        Simulator.requireClean();
        System.out.println(
                "same " + test.posts + " posts, " + test.refused + " refused, " + test.completions + " completions");
    }

    private void run(int ofType, int inlineData, int count) {
        type = ofType;
        inline = inlineData;
        efa = new Side("efa_0", path, memory, type, inline);
        java = new Side("efa_1", "java", memory, type, inline);
        Check.equal(efa.qp.qpNum(), java.qp.qpNum(), "number of the queue pair");
        Check.equal(efa.mr.lkey(), java.mr.lkey(), "local key");
        Check.equal(inline > 32 ? 128 : 64, java.sends.entrySize(), "size of a descriptor");
        for (int i = 0; i < count; i++) {
            receive();
            if (i % 4 == 0) {
                receive();
            }
            post();
            Simulator.pump();
            drain();
        }
        efa.close();
        java.close();
    }

    private ScatterGatherElement element(int most) {
        return new ScatterGatherElement()
                .addr(efa.mr.addr() + random.nextInt(MEMORY / 4))
                .length(random.nextInt(most + 1))
                .lkey(efa.mr.lkey());
    }

    private ScatterGatherElement[] elements(int count, int most) {
        ScatterGatherElement[] list = new ScatterGatherElement[count];
        Arrays.setAll(list, i -> element(most));
        return list;
    }

    private void receive() {
        int count = 5 + random.nextInt(3); // a send that waits for a receive would fill the queue
        RecvWorkRequest first = null;
        for (int i = 0; i < count; i++) {
            int pieces = random.nextInt(50) == 0 ? 0 : 1 + random.nextInt(3);
            ScatterGatherElement[] list = elements(pieces, random.nextBoolean() ? 100 : MEMORY * 2);
            first = new RecvWorkRequest().wrId(random.nextLong()).sgList(list).next(first);
        }
        RecvWorkRequest[] bad = {null};
        RecvWorkRequest[] other = {null};
        int errno = efa.peer.postRecv(first, bad);
        Check.equal(errno, java.peer.postRecv(first, other), "errno of a receive");
        Check.require(bad[0] == other[0], "the same receive is refused");
        sameReceives();
    }

    private SendWorkRequest request(boolean correct) {
        boolean sends = type == QpType.UD || random.nextBoolean();
        int opcode = sends ? WrOpcode.SEND + random.nextInt(2) : new int[] {0, 1, 4}[random.nextInt(3)];
        boolean canInline = sends || inline > 32 && opcode != WrOpcode.RDMA_READ;
        boolean isInline = random.nextBoolean() && (canInline || !correct);
        int pieces = sends || isInline ? random.nextInt(correct ? 3 : 4) : random.nextInt(8) == 0 ? 0 : 1;
        if (!correct && random.nextInt(8) == 0) {
            pieces = 2;
        }
        isInline &= !correct || pieces != 0; // a builder recognizes it by the data
        int most = !isInline ? 500 : correct ? inline / 2 : inline;
        int flags = SendFlags.SIGNALED | (isInline ? SendFlags.INLINE : 0);
        if (!correct && random.nextInt(8) == 0) {
            flags = new int[] {0, SendFlags.INLINE, flags | SendFlags.FENCE, flags | SendFlags.SOLICITED}
                    [random.nextInt(4)];
        }
        long id = random.nextLong();
        if (opcode == WrOpcode.RDMA_READ) {
            reads.add(id);
        }
        return new SendWorkRequest()
                .wrId(id)
                .opcode(opcode)
                .sendFlags(flags)
                .immData(random.nextInt())
                .remoteAddr(efa.mr.addr() + MEMORY / 2 + random.nextInt(MEMORY / 4))
                .rkey(efa.mr.rkey())
                .remoteQpn(efa.peer.qpNum())
                .remoteQkey(random.nextInt(10) == 0 ? random.nextInt() : EfaRig.QKEY)
                .sgList(elements(pieces, most));
    }

    private void post() {
        boolean builds = random.nextInt(3) == 0;
        int count = 1 + random.nextInt(5);
        SendWorkRequest first = null;
        if (builds) {
            java.builder.start();
        }
        SendWorkRequest[] list = new SendWorkRequest[count];
        for (int i = count - 1; i >= 0; i--) {
            list[i] = request(builds || random.nextInt(4) != 0).next(first);
            first = list[i];
        }
        SendWorkRequest[] bad = {null};
        int errno = onSide(efa, list, bad);
        int mine;
        if (builds) {
            for (SendWorkRequest wr : list) {
                build(wr);
            }
            mine = java.builder.complete();
        } else {
            SendWorkRequest[] other = {null};
            mine = onSide(java, list, other);
            Check.require(bad[0] == other[0], "the same request is refused");
        }
        Check.equal(errno, mine, "errno of a post");
        posts += count;
        refused += errno == 0 ? 0 : 1;
        sameSends();
    }

    private static int onSide(Side side, SendWorkRequest[] list, SendWorkRequest[] bad) {
        for (SendWorkRequest wr : list) {
            wr.ah(side.ah);
        }
        return side.qp.postSend(list[0], bad);
    }

    private void build(SendWorkRequest wr) {
        SendBuilder b = java.builder;
        long id = wr.wrId();
        switch (wr.opcode()) {
            case WrOpcode.SEND -> b.send(id, SendFlags.SIGNALED);
            case WrOpcode.SEND_WITH_IMM -> b.sendWithImm(id, SendFlags.SIGNALED, wr.immData());
            case WrOpcode.RDMA_READ -> b.read(id, SendFlags.SIGNALED, wr.rkey(), wr.remoteAddr());
            case WrOpcode.RDMA_WRITE -> b.write(id, SendFlags.SIGNALED, wr.rkey(), wr.remoteAddr());
            default -> b.writeWithImm(id, SendFlags.SIGNALED, wr.rkey(), wr.remoteAddr(), wr.immData());
        }
        b.udAddr(java.ah, wr.remoteQpn(), wr.remoteQkey());
        for (ScatterGatherElement e : wr.sgList()) {
            if ((wr.sendFlags() & SendFlags.INLINE) != 0) {
                b.inlineData(e.lkey(), e.addr(), e.length());
            } else {
                b.sge(e.lkey(), e.addr(), e.length());
            }
        }
    }

    private void sameSends() {
        boolean wide = (java.sends.caps() & EfaWqCaps.REQ_ID_64_BIT) != 0;
        int size = java.sends.entrySize();
        for (int i = 0; i < java.sends.numEntries() * size; i += Long.BYTES) {
            long skipped = !wide && i % size == 0 ? 0xffff : 0;
            same(efa.sends.buffer() + i, java.sends.buffer() + i, skipped, "byte " + i % size + " of send " + i / size);
        }
        Check.equal(
                NativeMemory.getInt(efa.sends.doorbell()),
                NativeMemory.getInt(java.sends.doorbell()),
                "doorbell of sends");
    }

    private void sameReceives() {
        for (int i = 0; i < java.receives.numEntries() * 16; i += Long.BYTES) {
            same(
                    efa.receives.buffer() + i,
                    java.receives.buffer() + i,
                    i % 16 == 8 ? 0xffff : 0,
                    "byte " + i % 16 + " of a piece");
        }
        Check.equal(
                NativeMemory.getInt(efa.receives.doorbell()),
                NativeMemory.getInt(java.receives.doorbell()),
                "doorbell of receives");
    }

    private static void same(long one, long other, long skipped, String what) {
        long a = NativeMemory.getLong(one) & ~skipped;
        long b = NativeMemory.getLong(other) & ~skipped;
        Check.require(
                a == b, what + " and what follows: " + Long.toHexString(a) + " and in Java " + Long.toHexString(b));
    }

    private void drain() {
        while (true) {
            int taken = efa.cq.poll(1, efa.wc);
            Check.equal(taken, java.cq.poll(1, java.wc), "completions");
            if (taken == 0) {
                return;
            }
            completions++;
            WorkCompletion a = efa.wc[0];
            WorkCompletion b = java.wc[0];
            Check.equal(a.wrId(), b.wrId(), "id");
            Check.equal(a.status(), b.status(), "status");
            Check.equal(a.vendorErr(), b.vendorErr(), "vendor's error");
            Check.equal(a.qpNum(), b.qpNum(), "queue pair");
            Check.equal(a.wcFlags(), b.wcFlags(), "flags");
            boolean receive = (a.opcode() & WcOpcode.RECV) != 0;
            boolean read = !receive && reads.contains(b.wrId()); // libefa reports these as sends
            Check.equal(read ? WcOpcode.RDMA_READ : a.opcode(), b.opcode(), "opcode");
            if (receive) {
                Check.equal(a.byteLen(), b.byteLen(), "length");
                Check.equal(a.srcQp(), b.srcQp(), "sender");
                Check.equal(a.slid(), b.slid(), "the sender's handle");
                if ((a.wcFlags() & WcFlags.WITH_IMM) != 0) {
                    Check.equal(a.immData(), b.immData(), "immediate");
                }
            }
        }
    }
}
