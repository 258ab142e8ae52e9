/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.clock;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A limited rate, with a clock controlled by the test. */
@Full
class RateLimitTest {
    private long now = -77;

    /** Sends for some seconds, waking up late each time; returns the bytes. */
    private long send(RateLimit limit, int seconds, int size, long late) {
        long end = now + seconds * 1_000_000_000L;
        long bytes = 0;
        while (now < end) {
            long delay = limit.delay(size);
            if (delay == 0) {
                limit.sent(size);
                bytes += size;
            } else {
                now += delay + late;
            }
        }
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({
        "40000, 1024, 0",
        "40000, 1024, 3000000",
        "40000, 50000, 0",
        "40000, 50000, 5000000",
        "1, 7, 1000000",
        "3000000, 1, 0",
        "999999, 3, 60000",
        "100000000, 4096, 1000000",
        "12345, 65536, 8000000"
    })
    void rateIsReachedButNotExceeded(int kbps, int size, long late) {
        int seconds = kbps / size > 100_000 ? 1 : 10;
        RateLimit limit = new RateLimit(() -> now, kbps, 0);
        double rate = send(limit, seconds, size, late) * 8 / 1000.0 / seconds;
        assertThat(rate).isBetween(kbps * 0.95, kbps * 1.05 + size * 8 / 10_000.0);
    }

    @Test
    void burstLimitsBytesAtOnce() {
        RateLimit limit = new RateLimit(() -> now, 8, 5000); // a byte takes a millisecond
        now += 1_000_000_000_000L; // idle for long: saves at most a burst
        assertThat(limit.delay(5000)).isZero();
        limit.sent(3000);
        assertThat(limit.delay(2000)).isZero();
        assertThat(limit.delay(2001)).isEqualTo(1_000_000);
        limit.sent(2000);
        assertThat(limit.delay(1)).isEqualTo(1_000_000);
        now += 1_000_000;
        assertThat(limit.delay(1)).isZero();
    }

    @Test
    void messageAboveBurstWaitsForItsFullTime() {
        RateLimit limit = new RateLimit(() -> now, 8, 100);
        limit.sent(1L << 31);
        assertThat(limit.delay(1L << 31)).isEqualTo(((1L << 31) - 100) * 1_000_000);
        assertThat(limit.delay(0)).isZero();
    }
}
