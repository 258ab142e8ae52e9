/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.QpType;
import io.verbs4j.provider.rxe.link.TxBatch;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import io.verbs4j.testsupport.Full;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Ten million forged packets to queue pairs of every type and state, and a configured number of millions of whole
 * datagrams.
 */
@Full
class ReceiveFuzzIT {
    private static final long PACKETS = Long.getLong("io.verbs4j.fuzz.packets", 10_000_000);
    private static final long DATAGRAMS = Long.getLong("io.verbs4j.fuzz.datagrams", 1_000_000);
    private static final long WATCHED = Long.getLong("io.verbs4j.fuzz.watched", 300_000);
    private static final long SEED = Long.getLong("io.verbs4j.fuzz.seed", 7);
    private static final int CHECK_EVERY = 1 << 16;

    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void forgedPacketsDoNoHarm() {
        try (Range range = new Range()) {
            Forge forge = new Forge(random.split(), range.grounds);
            long[] reasons = new long[Packet.REASON_COUNT];
            long start = System.nanoTime();
            long burst = 0;
            for (long i = 0; i < PACKETS; i++) {
                Mark mark = range.any(random);
                int length = forge.packet(mark);
                reasons[range.feed(forge.buffer, 0, length, source(range, mark), destination(range))]++;
                if (burst-- <= 0) {
                    burst = random.nextInt(64);
                    range.settle();
                    range.restore();
                }
                if ((i & CHECK_EVERY - 1) == 0) {
                    check(range, i);
                }
            }
            range.settle();
            check(range, PACKETS);
            report("packets", PACKETS, start);
            System.out.println("fuzz: " + reasons[Packet.OK] + " were dispatched; " + range.received + " receives and "
                    + range.completed + " completions in all; " + range.answered + " answers; " + range.counters());
            assertThat(reasons[Packet.OK]).as("dispatched").isGreaterThan(PACKETS / 2);
            assertThat(range.received).as("receives").isGreaterThan(PACKETS / 100);
            assertThat(range.answered).as("answers").isGreaterThan(PACKETS / 100);
            Conversation.hold(range);
        }
    }

    /** Each packet alone: it is counted if dropped, and otherwise has changed something. */
    @Test
    void everyPacketIsAccountedFor() {
        try (Range range = new Range()) {
            Forge forge = new Forge(random.split(), range.grounds);
            long taken = 0;
            for (long i = 0; i < WATCHED; i++) {
                range.restore();
                range.settle();
                Mark mark = range.any(random);
                int length = forge.packet(mark);
                Trace before = Trace.of(range, mark);
                int reason = range.feed(forge.buffer, 0, length, mark.peer(), range.link.localGid());
                range.settle();
                Trace after = Trace.of(range, mark);
                boolean dropped = reason != Packet.OK || after.counted() > before.counted();
                boolean answer = Opcode.isResponse(Bth.opcode(forge.buffer, 0));
                // A UC message may begin with any PSN, even the one before the expected one.
                boolean began = mark.qp.qpType() == QpType.UC
                        && after.rqPsn() == (Bth.psn(forge.buffer, 0) + 1 & 0xffffff)
                        && Opcode.isStart(Bth.opcode(forge.buffer, 0));
                if (!dropped && !answer && !began && after.equals(before)) {
                    throw new AssertionError("seed " + SEED + ", packet " + i + ": "
                            + Opcode.name(Bth.opcode(forge.buffer, 0)) + " to " + mark.role + ": " + before);
                }
                taken += dropped ? 0 : 1;
            }
            range.check();
            System.out.println("fuzz: of " + WATCHED + " packets " + taken + " were taken, the others counted");
        }
    }

    /** The visible state of a queue pair. */
    private record Trace(long counted, int rqPsn, int state, boolean receiving, long completed, long answered) {
        static Trace of(Range range, Mark mark) {
            return new Trace(
                    range.counters().snapshot().values().stream()
                            .mapToLong(n -> n)
                            .sum(),
                    mark.qp.path() == null ? 0 : mark.qp.path().rqPsn(),
                    mark.qp.state(),
                    mark.qp.isReceiving(),
                    range.completed,
                    range.answered);
        }
    }

    /** The whole receive path: a datagram as a link receives it, with a valid ICRC or without. */
    @Test
    void forgedDatagramsDoNoHarm() {
        try (Range range = new Range()) {
            Forge forge = new Forge(random.split(), range.grounds);
            TxBatch batch = range.peerLink.newBatch();
            Gid to = range.link.localGid();
            long start = System.nanoTime();
            for (long i = 0; i < DATAGRAMS; i++) {
                Mark mark = range.any(random);
                int length = Math.max(0, forge.packet(mark) - Icrc.LENGTH);
                int at = batch.begin(to.subnetPrefix(), to.interfaceId(), length);
                batch.buffer().put(at, forge.buffer, 0, length);
                boolean damaged = random.nextInt(4) == 0;
                batch.end(length);
                if (damaged) {
                    // It is still in the batch, since the pipe sends it with the others.
                    int hit = at + random.nextInt(length + Icrc.LENGTH);
                    batch.buffer().put(hit, (byte) (batch.buffer().get(hit) + 1 + random.nextInt(255)));
                }
                if ((i & 31) == 0) {
                    batch.flush();
                    range.poll();
                    range.restore();
                }
                if ((i & CHECK_EVERY - 1) == 0) {
                    check(range, i);
                }
            }
            batch.flush();
            range.poll();
            check(range, DATAGRAMS);
            report("datagrams", DATAGRAMS, start);
            var counters = range.link.counters().snapshot();
            counters.values().removeIf(n -> n == 0);
            System.out.println("fuzz: " + counters);
            long seen = counters.entrySet().stream()
                    .filter(e -> Set.of("rx_packets", "rx_unwanted").contains(e.getKey())
                            || e.getKey().startsWith("rx_drop"))
                    .mapToLong(e -> e.getValue())
                    .sum();
            assertThat(seen).as("datagrams counted").isEqualTo(DATAGRAMS);
        }
    }

    private Gid source(Range range, Mark mark) {
        return random.nextInt(50) == 0 ? range.link.localGid() : mark.peer();
    }

    private Gid destination(Range range) {
        return random.nextInt(100) == 0 ? range.peerLink.localGid() : range.link.localGid();
    }

    private static void check(Range range, long packet) {
        try {
            range.check();
        } catch (AssertionError e) {
            throw new AssertionError("seed " + SEED + ", before packet " + packet + ": " + e.getMessage(), e);
        }
    }

    private static void report(String what, long count, long start) {
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                Locale.ROOT, "fuzz: seed %d, %d %s, %.1f s, %.0f/s%n", SEED, count, what, seconds, count / seconds);
    }
}
