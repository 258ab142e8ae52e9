/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * What came of a metric: the values of all rounds.
 *
 * @param comparison name of the comparison
 * @param metric what was measured
 * @param ours our values, by round
 * @param theirs the other side's values, by round
 */
public record Figure(String comparison, Metric metric, List<Double> ours, List<Double> theirs) {
    /** The ratios ours/theirs, by round. What is as good as nothing counts as the least that is something. */
    public List<Double> ratios() {
        double least = metric.unit().nothing();
        return IntStream.range(0, ours.size())
                .mapToObj(i -> Math.max(ours.get(i), least) / Math.max(theirs.get(i), least))
                .toList();
    }

    /** The median of the rounds' ratios. */
    public double ratio() {
        return median(ratios());
    }

    /** The smallest ratio of a round. */
    public double least() {
        return Collections.min(ratios());
    }

    /** The largest ratio of a round. */
    public double most() {
        return Collections.max(ratios());
    }

    /** The differences ours - theirs, by round. */
    public List<Double> differences() {
        return IntStream.range(0, ours.size())
                .mapToObj(i -> ours.get(i) - theirs.get(i))
                .toList();
    }

    /** The median of the rounds' differences. */
    public double difference() {
        return median(differences());
    }

    /** The result, in the form that other programs may rely on. */
    public String line() {
        return comparison + " " + metric.what() + " ratio " + text(ratio()) + " (ours " + text(median(ours))
                + ", theirs " + text(median(theirs)) + ", " + metric.unit().label() + ")";
    }

    /** The median; of an even number the mean of the two in the middle. */
    public static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        return (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
    }

    /** A number with three digits that count, or more where it is large. */
    public static String text(double value) {
        double size = Math.abs(value);
        int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
