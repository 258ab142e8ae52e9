/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The result for a metric: the values of all rounds.
 *
 * @param comparison name of the comparison
 * @param metric what was measured
 * @param ours our values, by round
 * @param theirs the other side's values, by round
 */
public record Figure(String comparison, Metric metric, List<Double> ours, List<Double> theirs) {
    /**
     * Returns the ratios ours/theirs, by round. Values below the unit's smallest meaningful value count as that value.
     */
    public List<Double> ratios() {
        double least = metric.unit().nothing();
        return IntStream.range(0, ours.size())
                .mapToObj(i -> Math.max(ours.get(i), least) / Math.max(theirs.get(i), least))
                .toList();
    }

    /** Returns the median of the rounds' ratios. */
    public double ratio() {
        return median(ratios());
    }

    /** Returns the smallest ratio of a round. */
    public double least() {
        return Collections.min(ratios());
    }

    /** Returns the largest ratio of a round. */
    public double most() {
        return Collections.max(ratios());
    }

    /** Returns the differences ours - theirs, by round. */
    public List<Double> differences() {
        return IntStream.range(0, ours.size())
                .mapToObj(i -> ours.get(i) - theirs.get(i))
                .toList();
    }

    /** Returns the median of the rounds' differences. */
    public double difference() {
        return median(differences());
    }

    /** Returns the result as a line, in a format that other programs may rely on. */
    public String line() {
        return comparison + " " + metric.what() + " ratio " + text(ratio()) + " (ours " + text(median(ours))
                + ", theirs " + text(median(theirs)) + ", " + metric.unit().label() + ")";
    }

    /** Returns the median; for an even number of values, the mean of the two in the middle. */
    public static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        return (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
    }

    /** Formats a number with three significant digits, or more if it is large. */
    public static String text(double value) {
        double size = Math.abs(value);
        int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
