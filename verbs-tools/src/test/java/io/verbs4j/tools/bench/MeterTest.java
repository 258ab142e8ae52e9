/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.StrictJson;
import io.verbs4j.tools.text.Json;
import io.verbs4j.tools.text.Progress;
import io.verbs4j.tools.traffic.Service;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeterTest {
    private static Step step(boolean latency) {
        return Step.of(Operation.SEND, Service.RC, latency, 100, 4, true);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,8", "10,4", "1000,8", "50000,64"})
    void meterCountsRequestedIterationsExactly(long iterations, int depth) {
        Meter meter = new Meter(100, new Session.Limit(iterations, 0, 0), Progress.none(), "test");
        long posted = 0;
        long done = 0;
        while (meter.wantsMore() || done < posted) {
            while (meter.wantsMore() && posted - done < depth) {
                meter.posted();
                posted++;
            }
            meter.completed();
            done++;
        }
        StepResult result = meter.result(step(false), posted, 0, 0);
        assertThat(result.iterations()).isEqualTo(iterations);
        assertThat(posted).isBetween(iterations + 1, iterations + 1000 + depth);
        assertThat(result.peakMegabytesPerSecond()).isGreaterThanOrEqualTo(result.megabytesPerSecond());
    }

    /** Limits the run by a number or by a time. Counting starts when the warm-up is over. */
    @ParameterizedTest
    @CsvSource({"5,0", "0,50000000"})
    void warmUpIsReportedButNotCounted(long iterations, long nanos) {
        Meter meter = new Meter(100, new Session.Limit(iterations, nanos, 200_000_000L), Progress.none(), "test");
        long posted = 0;
        long before = System.nanoTime();
        while (meter.wantsMore()) {
            meter.posted();
            posted++;
            meter.took(1000);
            meter.completed();
        }
        StepResult result = meter.result(step(true), posted, 0, 0);
        assertThat(result.warmUp().nanos()).isBetween(200_000_000L, System.nanoTime() - before);
        assertThat(result.warmUp().operations()).isEqualTo(posted - result.iterations());
        assertThat(result.times().getTotalCount()).isEqualTo(result.iterations());
        assertThat(StrictJson.object(Json.write(result.json())).get("warmUp").toString())
                .contains("operations=" + (double) result.warmUp().operations());
    }

    @Test
    void pauseIsNotCounted() throws InterruptedException {
        Meter meter = new Meter(100, new Session.Limit(0, 100_000_000L, 0), Progress.none(), "test");
        long before = System.nanoTime();
        boolean paused = false;
        while (meter.wantsMore()) {
            meter.posted();
            meter.completed();
            if (!paused && System.nanoTime() - before > 60_000_000L) {
                meter.pause();
                Thread.sleep(300);
                meter.resume();
                paused = true;
            }
        }
        long elapsed = System.nanoTime() - before;
        assertThat(meter.result(step(false), 1, 0, 0).nanos()).isBetween(79_000_000L, elapsed - 300_000_000L);
    }

    @Test
    void lostMessagesReduceThroughput() {
        Meter meter = new Meter(100, new Session.Limit(4, 0, 0), Progress.none(), "test");
        while (meter.wantsMore()) {
            meter.posted();
            meter.completed();
        }
        StepResult all = meter.result(step(false), 10, 0, 0);
        StepResult half = meter.result(step(false), 10, 5, 0);
        assertThat(half.megabytesPerSecond())
                .isCloseTo(all.megabytesPerSecond() / 2, org.assertj.core.data.Percentage.withPercentage(0.01));
    }

    @Test
    void messageLatencyIsHalfRoundTrip() {
        Meter meter = new Meter(100, new Session.Limit(3, 0, 0), Progress.none(), "test");
        while (meter.wantsMore()) {
            meter.posted();
            meter.took(20_000);
            meter.completed();
        }
        StepResult result = meter.result(step(true), 4, 0, 400);
        assertThat(result.usec(50)).isBetween(9.9, 10.1);
        Map<String, Object> json = StrictJson.object(Json.write(result.json()));
        assertThat(((Map<?, ?>) json.get("usec"))
                        .keySet().stream().map(Object::toString).toList())
                .isEqualTo(List.of("min", "p50", "p90", "p99", "p99.9", "max"));
    }

    @Test
    void sizesMayHaveSuffixes() throws Exception {
        SizeConverter converter = new SizeConverter();
        assertThat(converter.convert("64")).isEqualTo(64);
        assertThat(converter.convert("64K")).isEqualTo(65536);
        assertThat(converter.convert("8m")).isEqualTo(8 << 20);
    }
}
