/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(Patience.TEST_SECONDS)
class FaultLinkTest {
    private static final Gid A = Gid.of(0, 0xffff_7f00_0001L);
    private static final Gid B = Gid.of(0, 0xffff_7f00_0002L);

    /** The received packets, and the counters of both ends. */
    private record Result(List<Integer> numbers, Map<String, Long> sender, Map<String, Long> receiver) {
        long count(String name) {
            return sender.get(name) + receiver.get(name);
        }
    }

    private static Result run(String faults, int packets) {
        PipeFabric fabric = new PipeFabric();
        try (Link a = new FaultLink(fabric.open(A), FaultPlan.parse(faults));
                Link b = new FaultLink(fabric.open(B), FaultPlan.parse(faults))) {
            TxBatch batch = a.newBatch();
            List<Traffic.Seen> seen = new ArrayList<>();
            for (int i = 0; i < packets; i++) {
                Traffic.send(batch, B, i, i % 1000);
                if (i % 50 == 49) {
                    batch.flush();
                    a.poll(p -> {}, 1);
                    b.poll(p -> seen.add(Traffic.seen(p)), 1000);
                }
            }
            batch.flush();
            // Held packets are released by time, and the waiting thread is notified.
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(60);
            while (System.nanoTime() < end) {
                a.await(TimeUnit.MILLISECONDS.toNanos(1));
                a.poll(p -> {}, 1);
                b.await(TimeUnit.MILLISECONDS.toNanos(1));
                b.poll(p -> seen.add(Traffic.seen(p)), 1000);
            }
            return new Result(
                    Traffic.numbers(seen), a.counters().snapshot(), b.counters().snapshot());
        }
    }

    private static List<Integer> upTo(int n) {
        return IntStream.range(0, n).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"receive", "send"})
    void droppedPacketsAreCounted(String side) {
        Result r = run("drop=0.2,seed=3,side=" + side, 2000);
        long dropped = r.count("fault_rx_drop") + r.count("fault_tx_drop");
        assertThat(dropped).isBetween(300L, 500L);
        assertThat(r.numbers).hasSize((int) (2000 - dropped)).isSorted().doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"receive", "send"})
    void duplicatedPacketsAreCounted(String side) {
        Result r = run("duplicate=0.2,seed=3,side=" + side, 2000);
        long more = r.count("fault_rx_duplicate") + r.count("fault_tx_duplicate");
        assertThat(more).isBetween(300L, 500L);
        assertThat(r.numbers).hasSize((int) (2000 + more)).isSorted().containsAll(upTo(2000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reorder=0.2", "delay=0.2,delay-ms=1", "reorder=0.2,side=send", "delay=1,side=send"})
    void delayedPacketsAreNotLost(String faults) {
        Result r = run("seed=3," + faults, 2000);
        assertThat(r.numbers).containsExactlyInAnyOrderElementsOf(upTo(2000));
        if (!faults.startsWith("delay=1")) {
            assertThat(r.numbers).isNotEqualTo(upTo(2000));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reorder=0.2", "reorder=0.2,side=send"})
    void reorderedPacketsStayNearTheirPlace(String faults) {
        List<Integer> numbers = run("seed=3," + faults, 2000).numbers;
        for (int i = 0; i < numbers.size() - 50; i++) { // except the last ones, which are released by time
            assertThat(Math.abs(numbers.get(i) - i)).isLessThanOrEqualTo(20);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"corrupt=0.2", "truncate=0.2", "corrupt=0.2,truncate=0.2", "corrupt=0.2,delay=0.1"})
    void damagedPacketsAreDropped(String faults) {
        for (String side : new String[] {"receive", "send"}) {
            Result r = run("seed=3," + faults + ",side=" + side, 2000);
            long dropped = r.receiver.entrySet().stream()
                    .filter(e -> e.getKey().startsWith("rx_drop_"))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
            assertThat(r.numbers).hasSize((int) (2000 - dropped)).doesNotHaveDuplicates();
            assertThat(dropped).isGreaterThan(300);
            if (!faults.contains("truncate")) {
                assertThat(dropped).isEqualTo(r.count("fault_rx_corrupt") + r.count("fault_tx_corrupt"));
                assertThat(r.receiver.get("rx_drop_icrc")).isGreaterThan(200);
            }
        }
    }

    @Test
    void sameSeedGivesSameResult() {
        // No delays: what happens by time does not depend on the seed.
        String faults = "drop=0.05,duplicate=0.05,truncate=0.05,corrupt=0.05,side=both,seed=";
        Result one = run(faults + 11, 3000);
        Result two = run(faults + 11, 3000);
        Result other = run(faults + 12, 3000);
        assertThat(two.numbers).isEqualTo(one.numbers);
        assertThat(two.receiver).isEqualTo(one.receiver);
        assertThat(other.numbers).isNotEqualTo(one.numbers);
    }

    @Test
    void socketsApplyAllFaults() {
        LinkOptions options = LinkOptions.defaults()
                .withFaults(
                        "drop=0.05,duplicate=0.05,delay=0.05,reorder=0.05,truncate=0.05,corrupt=0.05,seed=7,side=both");
        try (Link a = Traffic.open(options);
                Link b = Traffic.open(options)) {
            assertThat(a).isInstanceOf(FaultLink.class);
            TxBatch batch = a.newBatch();
            for (int i = 0; i < 1000; i++) {
                Traffic.send(batch, b.localGid(), i, i % 7 == 0 ? 5 : 1024);
            }
            batch.flush();
            List<Traffic.Seen> seen = new ArrayList<>();
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
            while (System.nanoTime() < end) {
                a.poll(p -> {}, 1);
                b.await(TimeUnit.MILLISECONDS.toNanos(1));
                b.poll(p -> seen.add(Traffic.seen(p)), 64);
            }
            // Each side drops or damages about one in seven.
            assertThat(new HashSet<>(Traffic.numbers(seen))).hasSizeBetween(650, 830);
            assertThat(seen).allMatch(s -> s.source().equals(a.localGid())).allMatch(s -> s.port() == Link.PORT);
            assertThat(b.counters().get(LinkCounters.RX_BAD_ICRC)).isPositive();
        }
    }
}
