/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The clocks of completions, with nanoseconds controlled by the test. */
class TickClockTest {
    private long now;

    @ParameterizedTest
    @CsvSource({"64, 156250", "41, 156250", "20, 156250", "1, 1", "64, 10000000", "64, 1"})
    void clockTicksAtItsRate(int bits, long khz) {
        TickClock clock = new TickClock(new TickClock.Rate(bits, khz), () -> now);
        long mask = bits == 64 ? -1 : (1L << bits) - 1;
        assertThat(clock.mask()).isEqualTo(mask);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1000; i++) {
            now = random.nextLong() >> random.nextInt(10, 64); // also below zero
            long ticks = Math.floorDiv(now, 1_000_000L) * khz + Math.floorMod(now, 1_000_000L) * khz / 1_000_000;
            assertThat(clock.ticks()).isEqualTo(ticks & mask);
        }
    }

    @Test
    void narrowCounterWraps() {
        TickClock clock = new TickClock(new TickClock.Rate(20, 156_250), () -> now);
        long last = clock.ticks();
        int wraps = 0;
        for (int i = 0; i < 100; i++) {
            now += 640_000; // 100,000 ticks
            long ticks = clock.ticks();
            assertThat(ticks - last & clock.mask()).isEqualTo(100_000);
            wraps += ticks < last ? 1 : 0;
            last = ticks;
        }
        assertThat(wraps).isEqualTo(100 * 100_000 >> 20);
    }

    @Test
    void wallClockFollowsClock() {
        WallClock clock = new WallClock(() -> now);
        long first = clock.now();
        Instant real = Instant.now();
        assertThat(first / 1_000_000).isBetween(real.toEpochMilli() - 5000, real.toEpochMilli());
        now += 999_999_999;
        assertThat(clock.now() - first).isEqualTo(999_999_999);
    }

    /** Setting the system's clock looks the same. */
    @Test
    void adjustedSystemClockIsNoticed() {
        WallClock clock = new WallClock(() -> now);
        now += 3_600_000_000_000L;
        assertThat(clock.now() / 1_000_000 - System.currentTimeMillis()).isBetween(-5000L, 5L);
    }
}
