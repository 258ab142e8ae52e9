/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.text;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Percentiles of a histogram of nanoseconds, in microseconds. */
public final class Percentiles {
    private static final double NANOS = 1e3;

    private Percentiles() {}

    /**
     * {@return a percentile in microseconds}
     *
     * @param histogram the times, in nanoseconds
     * @param percentile 0 to 100
     * @param divisor what to divide by: 2 to get one way from round trips
     */
    public static double at(Histogram histogram, double percentile, int divisor) {
        double value = percentile == 0 ? histogram.getMinValue() : histogram.getValueAtPercentile(percentile);
        return value / NANOS / divisor;
    }

    /** {@return the usual percentiles, for people} */
    public static String text(Histogram histogram) {
        return String.format(
                Locale.ROOT,
                "min %.1f  p50 %.1f  p99 %.1f  p99.9 %.1f  max %.1f usec",
                at(histogram, 0, 1),
                at(histogram, 50, 1),
                at(histogram, 99, 1),
                at(histogram, 99.9, 1),
                at(histogram, 100, 1));
    }

    /** {@return the usual percentiles, for programs} */
    public static Map<String, Object> json(Histogram histogram, int divisor) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("min", at(histogram, 0, divisor));
        map.put("p50", at(histogram, 50, divisor));
        map.put("p90", at(histogram, 90, divisor));
        map.put("p99", at(histogram, 99, divisor));
        map.put("p99.9", at(histogram, 99.9, divisor));
        map.put("max", at(histogram, 100, divisor));
        return map;
    }
}
