/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A program for a simulated device: thousands of RC, UC and UD queue pairs over few completion queues and shared
 * receive queues post and poll in turn. In waves, some are destroyed with unpolled completions, and others are created
 * that get their numbers. Arguments: the number of queue pairs, the number of waves, a seed, and the data path.
 */
public final class ManyQueuePairsProgram {
    private static final int CQS = 4;
    private static final int SRQ_SIZE = 512;
    private static final int SRQ_SLOTS = 16 * SRQ_SIZE;
    private static final int CQ_SIZE = 1 << 14;
    private static final int SLOT = 64;
    private static final int HEADER = 40;
    private static final int MESSAGE = 16;
    private static final int RECEIVES = 4;
    private static final long SERIAL = 1L << 32;

    /** Two connected queue pairs; the ids of their work requests have the serial number in the upper half. */
    private static final class Pair {
        int serial;
        int place;
        boolean sharedReceives;
        QueuePair a;
        QueuePair b;
        int posted;
        int completed;
        int received;
    }

    private final SplittableRandom random;
    private final Context context;
    private final ProtectionDomain pd;
    private final ByteBuffer memory;
    private final MemoryRegion mr;
    private final CompletionQueue[] cqs = new CompletionQueue[CQS];
    private final SharedReceiveQueue[] srqs = new SharedReceiveQueue[2];
    private final int[] nextSlot = new int[2];
    private final AddressHandle ah;
    private final AhAttr path;
    private final Pair[] pairs;
    private final long shared;
    private final Map<Integer, Pair> byNumber = new HashMap<>();
    private final Set<Integer> numbers = new HashSet<>();
    private final WorkCompletion[] wc = new WorkCompletion[64];
    private int serial;
    private int reused;
    private long messages;

    private ManyQueuePairsProgram(int count, long seed, String dataPath) {
        random = new SplittableRandom(seed);
        context = Mlx5Rig.open("mlx5_0", dataPath);
        path = Mlx5Rig.path(context);
        pd = context.allocPd();
        pairs = new Pair[count / 2];
        memory = ByteBuffer.allocateDirect((pairs.length * (2 + 2 * RECEIVES) + 2 * SRQ_SLOTS) * SLOT);
        mr = pd.regMr(memory, Mlx5Rig.ACCESS);
        shared = mr.addr() + (long) pairs.length * (2 + 2 * RECEIVES) * SLOT;
        ah = pd.createAh(path);
        for (int i = 0; i < CQS; i++) {
            cqs[i] = context.createCq(CQ_SIZE);
        }
        for (int i = 0; i < srqs.length; i++) {
            srqs[i] = pd.createSrq(
                    new SrqInitAttr().attr(new SrqAttr().maxWr(SRQ_SIZE).maxSge(1)));
            for (int k = 0; k < SRQ_SIZE; k++) {
                postShared(i, nextSlot[i]++);
            }
        }
        for (int i = 0; i < wc.length; i++) {
            wc[i] = new WorkCompletion();
        }
    }

    public static void main(String... args) {
        ManyQueuePairsProgram many =
                new ManyQueuePairsProgram(Integer.parseInt(args[0]), Long.parseLong(args[2]), args[3]);
        long start = System.nanoTime();
        many.run(Integer.parseInt(args[1]));
        System.out.printf(
                "many %d queue pairs at a time, %d in all, %d with the number of another, %d registers, %d messages,"
                        + " %.1f s%n",
                2 * many.pairs.length,
                2 * many.serial,
                many.reused,
                many.registers(),
                many.messages,
                (System.nanoTime() - start) / 1e9);
        many.close();
        Simulator.requireNoViolation();
        require(Simulator.device_sim_count(Simulator.KEY_ERRORS) == 0, Simulator.message());
    }

    private void run(int waves) {
        for (int i = 0; i < pairs.length; i++) {
            make(i);
        }
        for (int wave = 0; wave < waves; wave++) {
            for (int round = 0; round < 8; round++) {
                for (int i = 0; i < 256; i++) {
                    post(pairs[random.nextInt(pairs.length)]);
                }
                Simulator.pump();
                poll();
            }
            for (int i = 0; i < pairs.length; i++) {
                post(pairs[i]); // each at least once a wave
                if (i % 256 == 255) {
                    Simulator.pump();
                }
            }
            Simulator.pump();
            // All completions are in the queues now. Destroys some queue pairs, so that others get their numbers before
            // any poll.
            for (int i = 0; i < pairs.length; i++) {
                if (random.nextInt(4) == 0) {
                    destroy(pairs[i]);
                    make(i);
                }
            }
            poll();
            require(Simulator.device_sim_check_idle() == 0, Simulator.message());
            for (Pair p : pairs) {
                require(
                        p.completed == p.posted && p.received == p.posted,
                        p.posted + " posted, " + p.completed + " completed, " + p.received + " received");
            }
        }
    }

    private void make(int place) {
        Pair p = new Pair();
        p.serial = ++serial;
        p.place = place;
        int type = new int[] {QpType.RC, QpType.UC, QpType.UD}[random.nextInt(3)];
        CompletionQueue cq = cqs[random.nextInt(CQS)];
        p.sharedReceives = random.nextInt(3) == 0;
        p.a = pd.createQp(Mlx5Rig.attr(type, cq, null));
        p.b = pd.createQp(
                Mlx5Rig.attr(type, cqs[random.nextInt(CQS)], p.sharedReceives ? srqs[random.nextInt(2)] : null));
        Mlx5Rig.connect(p.a, path, p.b.qpNum(), Mlx5Rig.WITHOUT_END);
        Mlx5Rig.connect(p.b, path, p.a.qpNum(), Mlx5Rig.WITHOUT_END);
        for (QueuePair qp : new QueuePair[] {p.a, p.b}) {
            reused += numbers.add(qp.qpNum()) ? 0 : 1;
            require(byNumber.put(qp.qpNum(), p) == null, "number " + qp.qpNum() + " is in use twice");
        }
        for (int i = 0; i < RECEIVES && !p.sharedReceives; i++) {
            postReceive(p, i);
        }
        pairs[place] = p;
    }

    private void destroy(Pair p) {
        byNumber.remove(p.a.qpNum());
        byNumber.remove(p.b.qpNum());
        p.a.close();
        p.b.close();
        // Unpolled receives went back to the shared queue, which has room for as many.
        for (int i = p.received; i < p.posted && p.sharedReceives; i++) {
            int srq = p.b.srq() == srqs[0] ? 0 : 1;
            postShared(srq, nextSlot[srq]++);
        }
    }

    private long place(Pair p, int slot) {
        return mr.addr() + ((long) p.place * (2 + 2 * RECEIVES) + slot) * SLOT;
    }

    private void postReceive(Pair p, int slot) {
        RecvWorkRequest wr = new RecvWorkRequest()
                .wrId(p.serial * SERIAL + slot)
                .sgList(new ScatterGatherElement()
                        .addr(place(p, 2 + slot * 2))
                        .length(HEADER + MESSAGE)
                        .lkey(mr.lkey()));
        require(p.b.postRecv(wr) == 0, "a receive was refused");
    }

    private void postShared(int srq, int slot) {
        RecvWorkRequest wr = new RecvWorkRequest()
                .wrId((long) srq * SRQ_SLOTS + slot)
                .sgList(new ScatterGatherElement()
                        .addr(shared + (long) (srq * SRQ_SLOTS + slot) * SLOT)
                        .length(HEADER + MESSAGE)
                        .lkey(mr.lkey()));
        require(srqs[srq].postRecv(wr) == 0, "a shared receive was refused");
    }

    /** Sends one message from a to b, unless b might have no receive for it. */
    private void post(Pair p) {
        if (p.posted - p.received >= RECEIVES || p.posted != p.completed) {
            return;
        }
        long source = place(p, 0);
        NativeMemory.putLong(source, p.serial);
        NativeMemory.putLong(source + Long.BYTES, p.posted);
        SendWorkRequest wr = new SendWorkRequest()
                .wrId(p.serial * SERIAL + p.posted)
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED | (random.nextBoolean() ? SendFlags.INLINE : 0))
                .ah(ah)
                .remoteQpn(p.b.qpNum())
                .remoteQkey(Mlx5Rig.QKEY)
                .sgList(new ScatterGatherElement().addr(source).length(MESSAGE).lkey(mr.lkey()));
        require(p.a.postSend(wr) == 0, "a post was refused");
        p.posted++;
    }

    private void poll() {
        for (CompletionQueue cq : cqs) {
            int got;
            while ((got = cq.poll(1 + random.nextInt(wc.length), wc)) != 0) {
                require(got > 0, "poll " + got);
                for (int i = 0; i < got; i++) {
                    take(cq, wc[i]);
                }
            }
        }
    }

    private void take(CompletionQueue cq, WorkCompletion c) {
        Pair p = byNumber.get(c.qpNum());
        require(p != null, "a completion of a queue pair that is gone: " + c.qpNum());
        require(c.status() == WcStatus.SUCCESS, WcStatus.toString(c.status()));
        if (c.opcode() != WcOpcode.RECV) {
            require(p.a.qpNum() == c.qpNum() && p.a.sendCq() == cq, "a send of another queue");
            require(c.wrId() == p.serial * SERIAL + p.completed, "send " + c.wrId() + " of pair " + p.serial);
            p.completed++;
            return;
        }
        require(p.b.qpNum() == c.qpNum() && p.b.recvCq() == cq, "a receive of another queue");
        int header = p.a.qpType() == QpType.UD ? HEADER : 0;
        require(c.byteLen() == header + MESSAGE, "length " + c.byteLen());
        long at;
        if (p.sharedReceives) {
            at = shared + c.wrId() * SLOT;
        } else {
            require(
                    c.wrId() == p.serial * SERIAL + p.received % RECEIVES,
                    "receive " + c.wrId() + " of pair " + p.serial);
            at = place(p, 2 + p.received % RECEIVES * 2);
        }
        require(
                NativeMemory.getLong(at + header) == p.serial
                        && NativeMemory.getLong(at + header + Long.BYTES) == p.received,
                "message " + NativeMemory.getLong(at + header) + " " + NativeMemory.getLong(at + header + Long.BYTES)
                        + " instead of " + p.serial + " " + p.received);
        if (p.sharedReceives) {
            postShared((int) c.wrId() / SRQ_SLOTS, (int) c.wrId() % SRQ_SLOTS);
        } else {
            postReceive(p, p.received % RECEIVES);
        }
        p.received++;
        messages++;
    }

    /** Returns how many doorbell registers they use in total. */
    private int registers() {
        Set<Long> found = new HashSet<>();
        for (Pair p : pairs) {
            found.add(DvObjects.qp(((NativeQueuePair) p.a).ibv.address()).bfReg());
            found.add(DvObjects.qp(((NativeQueuePair) p.b).ibv.address()).bfReg());
        }
        return found.size();
    }

    private void close() {
        for (Pair p : pairs) {
            destroy(p);
        }
        for (int i = 0; i < srqs.length; i++) {
            int room = srqs[i].query().maxWr() - SRQ_SIZE;
            for (int k = 0; k < room; k++) {
                postShared(i, nextSlot[i]);
            }
            require(srqs[i].postRecv(new RecvWorkRequest()) == Errno.ENOMEM, "receives were lost or duplicated");
            srqs[i].close();
        }
        for (CompletionQueue cq : cqs) {
            require(cq.poll(1, wc) == 0, "a completion of a queue pair that is gone");
            cq.close();
        }
        ah.close();
        mr.close();
        pd.close();
        context.close();
    }
}
