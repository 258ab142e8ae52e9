/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.tools.text.Percentiles;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The result of a step.
 *
 * @param step the step that was run
 * @param warmUp what came before and does not count
 * @param iterations operations that were counted
 * @param nanos how long they took
 * @param peak bytes per nanosecond in the best 20 ms
 * @param average bytes per nanosecond
 * @param lost operations that did not arrive, including the warm-up
 * @param bytesVerified bytes that were compared, on both sides
 * @param times how long each took, in nanoseconds; empty for bandwidth
 */
record StepResult(
        Step step,
        WarmUp warmUp,
        long iterations,
        long nanos,
        double peak,
        double average,
        long lost,
        long bytesVerified,
        Histogram times) {
    private static final double MEGABYTES = 1e3;

    /**
     * The warm-up.
     *
     * @param operations number of operations
     * @param nanos how long they took
     */
    record WarmUp(long operations, long nanos) {}

    double megabytesPerSecond() {
        return average * MEGABYTES;
    }

    double peakMegabytesPerSecond() {
        return peak * MEGABYTES;
    }

    double millionsPerSecond() {
        return average * MEGABYTES / step.size();
    }

    /** {@return what times are divided by: one way is half a round trip} */
    int divisor() {
        return step.operation() == Operation.SEND || step.operation() == Operation.WRITE ? 2 : 1;
    }

    double usec(double percentile) {
        return times.getTotalCount() == 0 ? 0 : Percentiles.at(times, percentile, divisor());
    }

    Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("size", step.size());
        map.put("iterations", iterations);
        map.put("seconds", nanos / 1e9);
        map.put("warmUp", Map.of("operations", warmUp.operations(), "seconds", warmUp.nanos() / 1e9));
        if (step.latency()) {
            map.put("usec", times.getTotalCount() == 0 ? null : Percentiles.json(times, divisor()));
        } else {
            map.put("depth", step.depth());
            map.put("megabytesPerSecondPeak", peakMegabytesPerSecond());
            map.put("megabytesPerSecond", megabytesPerSecond());
            map.put("millionMessagesPerSecond", millionsPerSecond());
        }
        map.put("lost", lost);
        map.put("bytesVerified", bytesVerified);
        return map;
    }
}
