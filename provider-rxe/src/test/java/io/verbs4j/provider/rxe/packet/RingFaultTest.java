/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpType;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.provider.rxe.share.Relay;
import io.verbs4j.provider.rxe.share.Relay.Fault;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@link FaultTest} by one copy: rings whose records are lost, duplicated, delayed, reordered, reclaimed or invalid.
 */
@Full
@Timeout(Patience.TEST_SECONDS)
class RingFaultTest {
    private static final double OFTEN = 0.05;

    /**
     * After a fault that ends a ring it takes 100 ms until there is another, and longer if the first offer is not
     * accepted.
     */
    private static final double SELDOM = 0.01;

    @ParameterizedTest
    @CsvSource({
        "DROP, 1, 5",
        "DUPLICATE, 2, 5",
        "DELAY, 3, 5",
        "REORDER, 4, 5",
        "RECALL, 5, 5",
        "SPOIL, 6, 5",
        "DROP DUPLICATE DELAY REORDER RECALL SPOIL, 7, 3",
        "DROP DUPLICATE DELAY REORDER RECALL SPOIL, 8, 4",
        "DROP DUPLICATE DELAY REORDER RECALL SPOIL, 9, 5"
    })
    void everythingArrivesOnce(String names, int seed, int mtu) {
        LinkOptions options = TestContext.oneCopy();
        Map<Fault, Double> faults = Arrays.stream(names.split(" ", -1))
                .map(Fault::valueOf)
                .collect(Collectors.toMap(f -> f, f -> f == Fault.SPOIL ? SELDOM : OFTEN));
        try (Relay relay = new Relay(seed);
                Subject a = new Subject(TestContext.open(options), QpType.RC, Conversation.BYTES);
                Subject b = new Subject(TestContext.open(options), QpType.RC, Conversation.BYTES)) {
            for (Subject s : new Subject[] {a, b}) {
                s.mtu = mtu;
                // All eight retries together, 0.5 s or 2 s, must outlast the end of a ring: until there is another one,
                // lent memory is lost, and each attempt to make one takes twice as long as the one before.
                s.timeout = faults.containsKey(Fault.SPOIL) ? 16 : 14;
                s.retryCnt = 7;
                s.rnrRetry = 7;
                s.minRnrTimer = 1;
            }
            relay.start(a.gid(), b.gid());
            a.connect(relay.gid(), b.qp.qpNum(), 0xffff00, 77);
            b.connect(relay.gid(), a.qp.qpNum(), 77, 0xffff00);
            long end = System.nanoTime() + Patience.NANOS;
            for (int turn = 0; !relay.hasRings() || !hasRing(a, relay) || !hasRing(b, relay); turn++) {
                assertThat(System.nanoTime()).as("rings").isLessThan(end);
                Patience.pause(turn);
            }
            relay.faults(faults);
            try {
                new Conversation(a, b, seed).run(Conversation.TOTAL);
            } catch (AssertionError e) {
                if (relay.failure() != null) {
                    e.addSuppressed(relay.failure());
                }
                throw e;
            }
            assertThat(relay.failure()).isNull();
            faults.keySet().forEach(f -> assertThat(relay.count(f)).as("%s", f).isPositive());
            assertThat(count(a, "tx_onecopy_bytes")).isGreaterThan(Conversation.TOTAL / 4);
            assertThat(count(b, "rx_onecopy_records")).isPositive();
            if (faults.containsKey(Fault.SPOIL)) {
                assertThat(count(a, "rx_onecopy_drop_bad") + count(b, "rx_onecopy_drop_bad"))
                        .isPositive();
            }
        }
    }

    private static boolean hasRing(Subject s, Relay relay) {
        s.cq.poll(0, new WorkCompletion[0]);
        return s.ring(relay.gid()) != null;
    }

    private static long count(Subject s, String counter) {
        return s.context.port().counters().get(counter);
    }
}
