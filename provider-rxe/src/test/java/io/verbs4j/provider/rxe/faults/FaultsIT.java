/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.packet.TransportCounters;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Half a GiB, or a configured amount, of sends, writes and reads in both directions at once, over sockets, through
 * links that disturb three packets of ten. The seed determines what a link does to which packet, but not when packets
 * arrive.
 *
 * <p>There are several connections, since a packet lost twice costs a timeout, during which the others continue. The
 * timeout is this long because eight of them end a connection, and a machine with more threads than processors may not
 * run the receiving thread for a tenth of a second.
 */
@Full
class FaultsIT {
    private static final long BYTES = Long.getLong("io.verbs4j.faults.bytes", 1L << 29);
    private static final long SEED = Long.getLong("io.verbs4j.faults.seed", 7);
    private static final int TIMEOUT = Integer.getInteger("io.verbs4j.faults.timeout", 12); // 16 ms
    private static final int CONNECTIONS = Integer.getInteger("io.verbs4j.faults.connections", 4);
    private static final int TURNS = 64;
    private static final String FAULTS = System.getProperty(
            "io.verbs4j.faults",
            "drop=0.05,duplicate=0.05,delay=0.05,reorder=0.05,truncate=0.05,corrupt=0.05,delay-ms=1");
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** The ends of all connections, by side. */
    private final List<List<Party>> sides = List.of(new ArrayList<>(), new ArrayList<>());

    @Test
    void everythingArrivesOnceUnderHeavyFaults() throws InterruptedException {
        System.out.println("faults: seed " + SEED + ", " + FAULTS);
        try (TestContext a = TestContext.open(FAULTS + ",seed=" + SEED);
                TestContext b = TestContext.open(FAULTS + ",seed=" + ~SEED)) {
            long start = System.nanoTime();
            try {
                connect(a, b);
                run();
                report(start);
                for (Party party : parties()) {
                    party.requireSilence();
                }
            } finally {
                parties().forEach(Party::close);
            }
        }
    }

    private void connect(TestContext a, TestContext b) {
        ByteBuffer pattern = Schedule.pattern(SEED);
        for (int i = 0; i < CONNECTIONS; i++) {
            Schedule there = new Schedule(SEED + 2L * i, BYTES / (2L * CONNECTIONS));
            Schedule back = new Schedule(SEED + 2L * i + 1, BYTES / (2L * CONNECTIONS));
            Party here = new Party(a, there, back, pattern);
            Party beyond = new Party(b, back, there, pattern);
            sides.get(0).add(here);
            sides.get(1).add(beyond);
            here.connect(beyond, TIMEOUT);
            beyond.connect(here, TIMEOUT);
        }
        parties().forEach(Party::skipReads);
    }

    private List<Party> parties() {
        return sides.stream().flatMap(List::stream).toList();
    }

    private void run() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (List<Party> side : sides) {
            Thread t = new Thread(() -> run(side), "faults-" + threads.size());
            t.setDaemon(true);
            threads.add(t);
            t.start();
        }
        long last = -1;
        long lastProgress = System.nanoTime();
        while (threads.get(0).isAlive() || threads.get(1).isAlive()) {
            threads.get(threads.get(0).isAlive() ? 0 : 1).join(TimeUnit.SECONDS.toMillis(Patience.SECONDS));
            long bytes = bytes();
            System.out.printf(Locale.ROOT, "faults: %d MiB%n", bytes >> 20);
            if (bytes != last) {
                last = bytes;
                lastProgress = System.nanoTime();
            } else if (System.nanoTime() - lastProgress > PATIENCE) {
                throw new AssertionError("seed " + SEED + ": no progress for a minute; " + counters());
            }
        }
        if (failure.get() != null) {
            throw new AssertionError("seed " + SEED + ": " + failure.get().getMessage() + counters(), failure.get());
        }
    }

    private void run(List<Party> side) {
        try {
            // Until both sides are done: each answers the other.
            int idle = 0;
            while (failure.get() == null && !parties().stream().allMatch(Party::isDone)) {
                boolean busy = true;
                for (int i = 0; i < TURNS && failure.get() == null; i++) {
                    busy = false;
                    for (Party party : side) {
                        busy |= party.step();
                    }
                }
                idle = busy ? 0 : idle + 1;
                if (!busy) {
                    Patience.pause(idle);
                }
            }
        } catch (Throwable t) {
            failure.compareAndSet(null, t);
        }
    }

    private long bytes() {
        return parties().stream().mapToLong(p -> p.bytes).sum();
    }

    private void report(long start) {
        double seconds = (System.nanoTime() - start) / 1e9;
        long bytes = bytes();
        System.out.printf(
                Locale.ROOT,
                "faults: %d bytes in %d messages over %d connections, %.1f s, %.1f MiB/s%n",
                bytes,
                parties().stream().mapToLong(Party::messages).sum(),
                CONNECTIONS,
                seconds,
                bytes / seconds / (1 << 20));
        System.out.println("faults:" + counters());
        assertThat(bytes).isGreaterThanOrEqualTo(BYTES);
        for (List<Party> side : sides) {
            assertThat(side.get(0).context.port().transportCounters().get(TransportCounters.FAILURE))
                    .isZero();
        }
    }

    private String counters() {
        StringBuilder text = new StringBuilder();
        for (List<Party> side : sides) {
            Port port = side.get(0).context.port();
            text.append("\n  ").append(port.gids()).append(' ');
            text.append(nonZero(port.transportCounters().snapshot()));
            port.openLinks()
                    .forEach(link ->
                            text.append(' ').append(nonZero(link.counters().snapshot())));
        }
        return text.toString();
    }

    private static Map<String, Long> nonZero(Map<String, Long> counters) {
        counters.values().removeIf(n -> n == 0);
        return counters;
    }
}
