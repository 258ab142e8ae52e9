/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.traffic.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.util.Random;

/** Writes of all sizes between two devices, across every wrap, with full FIFOs. Argument: a seed. */
public final class TrafficProgram {
    private static final int[] SIZES = {1, 2, 3, 31, 4096, 4097, 32_768, 100_001, 1 << 20, 4 << 20};

    /** Where the receiver's half of the memory starts. */
    private static final int THERE = 5 << 20;

    private final Random random;

    private TrafficProgram(long seed) {
        random = new Random(seed);
    }

    public static void main(String... args) {
        TrafficProgram traffic = new TrafficProgram(Long.parseLong(args[0]));
        traffic.sizes(GaudiRig.INTERNAL);
        traffic.sizes(GaudiRig.EXTERNAL);
        traffic.wraps();
        fifo();
        traffic.toItself();
        severalQueues();
        builders();
        oneByOne();
        again();
        Simulator.requireClean();
        System.out.println("traffic ok");
    }

    /** Posts a write and checks that exactly its target bytes change. */
    private void write(GaudiRig a, QueuePair qp, GaudiRig b, int length, long id) {
        int from = random.nextInt(64);
        int to = THERE + 8 + random.nextInt(64);
        byte[] sent = new byte[length];
        random.nextBytes(sent);
        a.memory.put(from, sent);
        b.memory.put(to - 1, (byte) 0x5a).put(to + length, (byte) 0xa5);
        GaudiRig.post(qp, a.write(id, from, b.mr.addr() + to, length));
        a.done(qp, id);
        byte[] came = new byte[length];
        b.memory.get(to, came);
        Check.require(java.util.Arrays.equals(sent, came), length + " bytes arrived differently");
        Check.equal(0x5a, b.memory.get(to - 1), "byte before");
        Check.equal((byte) 0xa5, b.memory.get(to + length), "byte behind");
    }

    private void sizes(int port) {
        try (GaudiRig a = new GaudiRig(0, port, 16);
                GaudiRig b = new GaudiRig(1, port, 16);
                QueuePair qa = a.qp(15);
                QueuePair qb = b.qp(15)) {
            GaudiRig.connect(a, qa, b, qb);
            for (int size : SIZES) {
                write(a, qa, b, size, size);
                write(b, qb, a, size, -size);
            }
            GaudiRig.post(qa, a.write(5, 0, b.mr.addr(), 0)); // no bytes
            a.done(qa, 5);
            SendWorkRequest wr = a.write(6, 0, b.mr.addr() + 100, 4); // by this process's address
            wr.sgList()[0].addr(a.mr.addr() + 40);
            a.memory.putInt(40, 0x1234_5678);
            GaudiRig.post(qa, wr);
            a.done(qa, 6);
            Check.equal(0x1234_5678, b.memory.getInt(100), "what arrived");
        }
    }

    /**
     * Wraps rings of 8 and 256 elements, completion queues of 4 and 16, and the FIFO's word; the index byte needs more
     * elements.
     */
    private void wraps() {
        try (GaudiRig a = new GaudiRig(0, GaudiRig.INTERNAL, 4);
                GaudiRig b = new GaudiRig(1, GaudiRig.INTERNAL, 16);
                QueuePair qa = a.qp(7);
                QueuePair qb = b.qp(255)) {
            Check.equal(4, a.cq.cqe(), "entries");
            GaudiRig.connect(a, qa, b, qb);
            for (int i = 0; i < 300; i++) {
                write(a, qa, b, 1 + i % 100, i);
                write(b, qb, a, 1 + i % 77, i);
            }
            for (int i = 0; i < 300; i += 3) { // one completion stands for three requests
                GaudiRig.post(qa, a.write(i, 0, b.mr.addr(), 8).sendFlags(0));
                GaudiRig.post(
                        qa, a.write(i + 1, 0, b.mr.addr(), 8).sendFlags(0).next(a.write(i + 2, 0, b.mr.addr(), 8)));
                a.done(qa, i + 2);
            }
            a.nothing();
            for (int i = 0; i < 7; i++) {
                GaudiRig.post(qa, a.write(i, 0, b.mr.addr(), 8).sendFlags(i == 6 ? SendFlags.SIGNALED : 0));
            }
            SendWorkRequest[] bad = {null};
            SendWorkRequest eighth = a.write(8, 0, b.mr.addr(), 8);
            Check.equal(Errno.ENOMEM, qa.postSend(eighth, bad), "one request more than fits");
            Check.require(bad[0] == eighth, "badWr");
            a.done(qa, 6);
            GaudiRig.post(qa, eighth);
            a.done(qa, 8);
        }
    }

    /** Two queue pairs share a FIFO: doorbells without room wait, and nothing is lost. */
    private static void fifo() {
        try (GaudiRig a = new GaudiRig(0, GaudiRig.EXTERNAL, 256);
                GaudiRig b = new GaudiRig(1, GaudiRig.EXTERNAL, 16);
                QueuePair q1 = a.qp(127);
                QueuePair p1 = b.qp(1);
                QueuePair q2 = a.qp(127);
                QueuePair p2 = b.qp(1)) {
            GaudiRig.connect(a, q1, b, p1);
            GaudiRig.connect(a, q2, b, p2);
            QueuePair[] both = {q1, q2};
            long before = Simulator.device_sim_count(Simulator.SENDS);
            int posted = 0;
            int most = 0;
            int seen = 0;
            WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
            while (posted < 500) {
                while (posted < 500 && posted - seen < 120) { // the FIFO is full at 32
                    a.memory.putInt(4 * posted, posted);
                    GaudiRig.post(both[posted & 1], a.write(posted, 4 * posted, b.mr.addr() + 4L * posted, 4));
                    posted++;
                }
                most = Math.max(most, posted - seen);
                Simulator.device_sim_pump(5);
                int n = a.cq.poll(3, wc);
                for (int i = 0; i < n; i++) {
                    Check.equal(WcStatus.SUCCESS, wc[i].status(), "status");
                }
                seen += n;
            }
            Check.equal(120, most, "requests at a time");
            for (int idle = 0; idle < 3; ) {
                Simulator.pump();
                int n = a.cq.poll(3, wc);
                for (int i = 0; i < n; i++) {
                    Check.equal(WcStatus.SUCCESS, wc[i].status(), "status");
                }
                seen += n;
                idle = n == 0 ? idle + 1 : 0;
            }
            Check.equal(500, seen, "completions");
            Check.equal(500, Simulator.device_sim_count(Simulator.SENDS) - before, "requests that the device took");
            for (int i = 0; i < 500; i++) {
                Check.equal(i, b.memory.getInt(4 * i), "what arrived");
            }
        }
    }

    /** An external port can reach itself by its own GID. */
    private void toItself() {
        try (GaudiRig a = new GaudiRig(0, GaudiRig.EXTERNAL, 16);
                QueuePair one = a.qp(7);
                QueuePair two = a.qp(7)) {
            GaudiRig.connect(a, one, a, two);
            for (int i = 0; i < 20; i++) {
                write(a, one, a, 1000 + i, i);
                write(a, two, a, 2000 + i, i);
            }
        }
    }

    /** Several completion queues of a port, two of which have their registers in one page. */
    private static void severalQueues() {
        try (GaudiRig a = new GaudiRig(0, GaudiRig.INTERNAL, 4);
                GaudiRig b = new GaudiRig(1, GaudiRig.INTERNAL, 4);
                CompletionQueue second = a.queue(4);
                CompletionQueue third = a.queue(4);
                QueuePair qa = a.qp(7, third);
                QueuePair other = a.qp(7, second);
                QueuePair qb = b.qp(7);
                QueuePair peer = b.qp(7)) {
            GaudiRig.connect(a, qa, b, qb);
            GaudiRig.connect(a, other, b, peer);
            WorkCompletion[] wc = {new WorkCompletion()};
            for (int i = 0; i < 10; i++) { // each queue wraps
                GaudiRig.post(qa, a.write(i, 0, b.mr.addr(), 8));
                GaudiRig.post(other, a.write(100 + i, 0, b.mr.addr(), 8));
                Simulator.pump();
                Check.equal(1, third.poll(1, wc), "completions of the third queue: " + Simulator.message());
                Check.equal(i, wc[0].wrId(), "wrId");
                Check.equal(1, second.poll(1, wc), "completions of the second queue: " + Simulator.message());
                Check.equal(100 + i, wc[0].wrId(), "wrId");
            }
            a.nothing();
        }
    }

    private static void builders() {
        try (GaudiRig a = new GaudiRig(0, GaudiRig.INTERNAL, 16);
                GaudiRig b = new GaudiRig(1, GaudiRig.INTERNAL, 16);
                QueuePair qa = a.qp(15);
                QueuePair qb = b.qp(15)) {
            GaudiRig.connect(a, qa, b, qb);
            SendBuilder builder = qa.builder();
            long doorbells = Simulator.device_sim_count(Simulator.DOORBELLS);
            for (int round = 0; round < 20; round++) {
                builder.start();
                for (int i = 0; i < 10; i++) {
                    a.memory.putLong(8 * i, 1000L * round + i);
                    int flags = i == 9 ? SendFlags.SIGNALED : 0;
                    builder.write(
                            i,
                            flags,
                            GaudiRig.KEY,
                            b.mr.addr() + 8L * i,
                            a.mr.lkey(),
                            a.mr.addr() + 8L * i,
                            Long.BYTES);
                }
                Check.equal(0, builder.complete(), "errno");
                a.done(qa, 9);
                for (int i = 0; i < 10; i++) {
                    Check.equal(1000L * round + i, b.memory.getLong(8 * i), "what arrived");
                }
            }
            // one for the post, one for the consumed completion, which is not a doorbell of a FIFO
            Check.equal(20, Simulator.device_sim_count(Simulator.DOORBELLS) - doorbells, "doorbells");
        }
    }

    private static void oneByOne() {
        try (GaudiRig a = new GaudiRig(0, GaudiRig.INTERNAL, 16);
                GaudiRig b = new GaudiRig(1, GaudiRig.INTERNAL, 16);
                QueuePair qa = a.qp(15);
                QueuePair qb = b.qp(15)) {
            GaudiRig.connect(a, qa, b, qb);
            Check.equal(Errno.ENOENT, a.cq.startPoll(new PollCqAttr()), "an empty queue");
            for (int i = 0; i < 3; i++) {
                GaudiRig.post(qa, a.write(70 + i, 0, b.mr.addr(), 8));
            }
            Simulator.pump();
            Check.equal(0, a.cq.startPoll(new PollCqAttr()), "startPoll");
            for (int i = 0; i < 3; i++) {
                Check.equal(70 + i, a.cq.wrId(), "wrId");
                Check.equal(WcStatus.SUCCESS, a.cq.status(), "status");
                Check.equal(qa.qpNum(), a.cq.readQpNum(), "qpNum");
                Check.equal(i == 2 ? Errno.ENOENT : 0, a.cq.nextPoll(), "nextPoll");
            }
            Check.equal(0, a.cq.endPoll(), "endPoll");
            a.nothing();
        }
    }

    /**
     * A queue pair starts afresh after RESET. Completions that it left are dropped, even if another has its number by
     * then.
     */
    private static void again() {
        try (GaudiRig a = new GaudiRig(0, GaudiRig.INTERNAL, 16);
                GaudiRig b = new GaudiRig(1, GaudiRig.INTERNAL, 16);
                QueuePair qa = a.qp(15);
                QueuePair qb = b.qp(15)) {
            GaudiRig.connect(a, qa, b, qb);
            for (int round = 0; round < 3; round++) {
                int number = qa.qpNum();
                for (int i = 0; i < 5; i++) {
                    GaudiRig.post(qa, a.write(i, 0, b.mr.addr(), 8));
                }
                Simulator.pump(); // without polling
                GaudiRig.reset(qa);
                GaudiRig.reset(qb);
                Check.equal(Errno.EINVAL, qa.postSend(a.write(0, 0, b.mr.addr(), 8), null), "a post in RESET");
                a.initialise(qa);
                b.initialise(qb);
                Check.equal(number, qa.qpNum(), "the number, which is reused");
                GaudiRig.connect(a, qa, b, qb);
                a.nothing();
                GaudiRig.post(qa, a.write(99, 0, b.mr.addr(), 8));
                a.done(qa, 99);
            }
            int number = qa.qpNum();
            try (QueuePair gone = a.qp(15);
                    QueuePair peer = b.qp(15)) {
                GaudiRig.connect(a, gone, b, peer);
                GaudiRig.post(gone, a.write(1, 0, b.mr.addr(), 8));
                GaudiRig.post(qa, a.write(2, 0, b.mr.addr(), 8));
                GaudiRig.post(gone, a.write(3, 0, b.mr.addr(), 8));
                Simulator.pump();
            }
            try (QueuePair heir = a.qp(15)) {
                Check.require(heir.qpNum() != number, "number");
                a.done(qa, 2);
                a.nothing();
            }
        }
    }
}
