/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures two sides in turn, round by round, so that whatever slows the machine down for a while slows both. A round's
 * ratio is of two values measured one right after the other; which side goes first changes with each round.
 */
public final class Rounds {
    private static final int WARM_UPS = 4;

    private final String comparison;
    private final int rounds;
    private final double seconds;
    private final boolean pinned;
    private final PrintStream out;
    private final PrintStream progress;
    private final List<Figure> figures = new ArrayList<>();

    /**
     * Makes it.
     *
     * @param comparison name of the comparison
     * @param rounds how many rounds
     * @param seconds how long a side is measured in each
     * @param pinned whether processes are to be pinned to processors
     * @param out where results go
     * @param progress where everything else goes
     */
    public Rounds(
            String comparison, int rounds, double seconds, boolean pinned, PrintStream out, PrintStream progress) {
        this.comparison = comparison;
        this.rounds = rounds;
        this.seconds = seconds;
        this.pinned = pinned;
        this.out = out;
        this.progress = progress;
    }

    /**
     * Measures two sides, and prints a line for each metric.
     *
     * @param ours our side
     * @param theirs the other
     * @param metrics what their values are
     * @throws Exception where a side fails, or data was wrong
     */
    public void compare(Side ours, Side theirs, Metric... metrics) throws Exception {
        String name = comparison + " " + metrics[0].what();
        progress.println(name + ": warming up");
        for (int i = 0; i < WARM_UPS; i++) {
            warmUp(ours);
            warmUp(theirs);
        }
        List<double[]> our = new ArrayList<>();
        List<double[]> their = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            if (round % 2 != 0) {
                our.add(ours.measure(seconds));
                their.add(theirs.measure(seconds));
            } else {
                their.add(theirs.measure(seconds));
                our.add(ours.measure(seconds));
            }
            progress.println(name + ": round " + round + " of " + rounds + ", ours "
                    + Figure.text(our.get(round - 1)[0]) + ", theirs " + Figure.text(their.get(round - 1)[0]) + ", "
                    + metrics[0].unit().label());
        }
        for (int m = 0; m < metrics.length; m++) {
            int which = m;
            add(new Figure(
                    comparison,
                    metrics[m],
                    our.stream().map(values -> values[which]).toList(),
                    their.stream().map(values -> values[which]).toList()));
        }
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
                "%s %s: ratios of %d rounds from %s to %s",
                comparison,
                figure.metric().what(),
                rounds,
                Figure.text(figure.least()),
                Figure.text(figure.most())));
    }

    /** Whether a comparison of two processes is to pin each to a processor. */
    public boolean pinned() {
        return pinned;
    }

    /** What was measured so far. */
    public List<Figure> figures() {
        return List.copyOf(figures);
    }
}
