/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.bulk.LossPair.Side;
import io.verbs4j.bulk.model.Removal.Manner;
import io.verbs4j.bulk.transfer.Breaker;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices are removed during transfers: other devices continue, and every entry is done once. */
@Full
@ParameterizedClass
@MethodSource("io.verbs4j.bulk.Strategy#chosen")
class BulkDeviceLossTest {
    private static final int COUNT = 60;
    private static final int LOSSES = 8;

    @Parameter
    Strategy strategy;

    private static BulkConfig settings(BulkConfig config) {
        return config.withRecovery(Patience.SECONDS, TimeUnit.SECONDS)
                .withPieceBytes(4096)
                .withSlots(16);
    }

    /**
     * Each loss affects the device that the connection uses; the device is replaced after another one has taken over.
     * Objects that report a failed destruction stay in memory, so only one seed uses such devices.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void anotherDeviceTakesOverAfterLoss(long seed) {
        Random random = new Random(seed);
        Manner[] manners = seed == 1 ? Manner.values() : new Manner[] {Manner.EVENT, Manner.SILENT};
        try (LossPair pair = new LossPair(strategy, 2, true, BulkDeviceLossTest::settings)) {
            Chaos chaos = new Chaos(pair, COUNT, seed);
            int losses = 0;
            int next = random.nextInt(60);
            while (!chaos.isDone()) {
                if (losses < LOSSES && isUp(pair) && next-- == 0) {
                    Side side = random.nextBoolean() ? pair.a : pair.b;
                    Context lost = side.remove(side.device(), manners[random.nextInt(manners.length)]);
                    losses++;
                    next = random.nextInt(60);
                    int told = side.told.size();
                    chaos.until(() -> side.told.size() > told || chaos.isDone()); // silence at the end goes unnoticed
                    if (side.told.size() > told) {
                        assertThat(side.told).last().isSameAs(lost);
                        side.replace(lost, pair.another(side, random.nextInt(2)));
                    }
                }
                chaos.step();
            }
            assertThat(losses).isPositive();
            if (!pair.a.told.isEmpty() || !pair.b.told.isEmpty()) { // otherwise the device was silent and not needed
                chaos.until(() -> pair.a.peer.reconnections() > 0);
            }
            chaos.assertCanaries();
        }
    }

    private static boolean isUp(LossPair pair) {
        return Breaker.isUp(pair.a.peer.link()) && Breaker.isUp(pair.b.peer.link());
    }

    /** Each side has only one device; replace() provides the next one. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void replacementDeviceTakesOverAfterLoss(long seed) {
        Random random = new Random(seed);
        try (LossPair pair = new LossPair(strategy, 1, seed % 2 == 0, BulkDeviceLossTest::settings)) {
            Chaos chaos = new Chaos(pair, COUNT, seed);
            int next = random.nextInt(60);
            int losses = 0;
            while (!chaos.isDone()) {
                if (losses < LOSSES && isUp(pair) && next-- == 0) {
                    Side side = random.nextBoolean() ? pair.a : pair.b;
                    Context lost = side.remove(0, Manner.EVENT);
                    losses++;
                    next = random.nextInt(60);
                    chaos.until(() -> side.told.contains(lost));
                    side.replace(lost, pair.another(side, side == pair.a ? random.nextInt(2) : 1));
                }
                chaos.step();
            }
            assertThat(losses).isPositive();
            chaos.assertCanaries();
        }
    }
}
