/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Measures two sides in turn, round by round, so that whatever temporarily slows down the machine affects both. A
 * round's ratio compares two values measured one right after the other; the order of the sides alternates from round to
 * round.
 */
public final class Rounds {
    private static final int WARM_UPS = 4;

    private final String comparison;
    private final int rounds;
    private final double seconds;
    private final boolean pinned;
    private final Pattern only;
    private final PrintStream out;
    private final PrintStream progress;
    private final List<Figure> figures = new ArrayList<>();

    /**
     * Creates the rounds of a comparison.
     *
     * @param comparison name of the comparison
     * @param rounds number of rounds
     * @param seconds seconds that each side is measured in each round
     * @param pinned whether to pin processes to processors
     * @param only pattern that the name of a case's first metric must contain; other cases are skipped
     * @param out receives the results
     * @param progress receives everything else
     */
    public Rounds(
            String comparison,
            int rounds,
            double seconds,
            boolean pinned,
            Pattern only,
            PrintStream out,
            PrintStream progress) {
        this.comparison = comparison;
        this.rounds = rounds;
        this.seconds = seconds;
        this.pinned = pinned;
        this.only = only;
        this.out = out;
        this.progress = progress;
    }

    /**
     * Measures two sides, and prints a line for each metric.
     *
     * @param ours our side
     * @param theirs the other side
     * @param metrics the metrics of their values
     * @throws Exception if a side fails, or the data was wrong
     */
    public void compare(Side ours, Side theirs, Metric... metrics) throws Exception {
        compare(ours, List.of(new Rival(theirs, metrics)));
    }

    /**
     * Measures our side and several others, all in each round, and prints a line for each of their metrics.
     *
     * @param ours our side
     * @param rivals the others
     * @throws Exception if a side fails, or the data was wrong
     */
    public void compare(Side ours, List<Rival> rivals) throws Exception {
        String what = rivals.get(0).metrics.get(0).what();
        if (!measures(what)) {
            return;
        }
        List<Side> sides = new ArrayList<>();
        sides.add(ours);
        rivals.forEach(rival -> sides.add(rival.side));
        String name = comparison + " " + what;
        progress.println(name + ": warming up");
        for (int i = 0; i < WARM_UPS; i++) {
            for (Side side : sides) {
                warmUp(side);
            }
        }
        List<List<double[]>> values = new ArrayList<>();
        sides.forEach(side -> values.add(new ArrayList<>()));
        for (int round = 1; round <= rounds; round++) {
            for (int i = 0; i < sides.size(); i++) {
                int which = round % 2 != 0 ? i : sides.size() - 1 - i;
                values.get(which).add(sides.get(which).measure(seconds));
            }
            tell(
                    name + ": round " + round + " of " + rounds,
                    rivals.get(0).metrics.get(0),
                    values);
        }
        for (int r = 0; r < rivals.size(); r++) {
            List<Metric> metrics = rivals.get(r).metrics;
            for (int m = 0; m < metrics.size(); m++) {
                add(new Figure(comparison, metrics.get(m), column(values.get(0), m), column(values.get(r + 1), m)));
            }
        }
    }

    private void tell(String what, Metric metric, List<List<double[]>> values) {
        String figures = values.stream()
                .map(side -> Figure.text(side.get(side.size() - 1)[0]))
                .reduce((all, next) -> all + (all.contains(",") ? ", " : ", theirs ") + next)
                .orElseThrow();
        progress.println(what + ", ours " + figures + ", " + metric.unit().label());
    }

    private static List<Double> column(List<double[]> values, int which) {
        return values.stream().map(v -> v[which]).toList();
    }

    private void warmUp(Side side) throws Exception {
        if (side.needsWarmUp()) {
            side.measure(seconds);
        }
    }

    private void add(Figure figure) {
        figures.add(figure);
        out.println(figure.line());
        out.flush();
        progress.println(String.format(
                Locale.ROOT,
                "%s %s: ratios of %d rounds from %s to %s, difference %s",
                comparison,
                figure.metric().what(),
                rounds,
                Figure.text(figure.least()),
                Figure.text(figure.most()),
                Figure.text(figure.difference())));
    }

    /** Returns whether a case with this first metric is measured. Check this before any expensive preparation. */
    public boolean measures(String what) {
        return only.matcher(what).find();
    }

    /** Returns whether a comparison of two processes should pin each to a processor. */
    public boolean pinned() {
        return pinned;
    }

    /** Returns the figures measured so far. */
    public List<Figure> figures() {
        return List.copyOf(figures);
    }

    /**
     * A side that ours is compared with.
     *
     * @param side the side
     * @param metrics the metrics of the values of both sides
     */
    public record Rival(Side side, List<Metric> metrics) {
        /** Creates a rival. */
        public Rival(Side side, Metric... metrics) {
            this(side, List.of(metrics));
        }
    }
}
