/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A picture of the ratios: for each figure, a bar from 1 to its median ratio, and a line from the smallest to the
 * largest. Figures of garbage that neither side makes are left out.
 */
public final class SvgPlot {
    private static final int ROW = 20;
    private static final int TOP = 40;
    private static final int LABELS = 340;
    private static final int BARS = 480;
    private static final int VALUES = 200;

    /**
     * Number of octaves on each side of 1. The scale goes from 1/16 to 16, and is logarithmic, so that half and double
     * have the same distance from 1.
     */
    private static final int OCTAVES = 4;

    private final StringBuilder svg = new StringBuilder();

    private SvgPlot() {}

    /**
     * Draws the figures.
     *
     * @param figures the figures
     * @param cases the names of the figures to draw, in this order; if empty, all are drawn
     * @throws IllegalArgumentException if no figure has one of these names
     */
    public static String of(List<Figure> figures, List<String> cases) {
        return of(
                cases.isEmpty()
                        ? figures
                        : cases.stream().flatMap(name -> named(figures, name)).toList());
    }

    private static Stream<Figure> named(List<Figure> figures, String name) {
        List<Figure> found =
                figures.stream().filter(f -> f.metric().what().equals(name)).toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no case '" + name + "'; the cases are: "
                    + figures.stream().map(f -> f.metric().what()).distinct().collect(Collectors.joining(", ")));
        }
        return found.stream();
    }

    /** Draws all figures. */
    static String of(List<Figure> figures) {
        SvgPlot plot = new SvgPlot();
        plot.draw(figures.stream().filter(f -> !isNothing(f)).toList());
        return plot.svg.toString();
    }

    private static boolean isNothing(Figure f) {
        double least = f.metric().unit().nothing();
        return Figure.median(f.ours()) < least && Figure.median(f.theirs()) < least;
    }

    private void draw(List<Figure> figures) {
        int width = LABELS + BARS + VALUES;
        int height = TOP + ROW * figures.size() + 20;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">",
                width, height);
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        for (int octave = -OCTAVES; octave <= OCTAVES; octave++) {
            double x = x(Math.pow(2, octave));
            add(
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\"/>",
                    x, TOP - 6, x, height - 10, octave == 0 ? "#444" : "#ddd");
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x, TOP - 12, octave < 0 ? "1/" + (1 << -octave) : Integer.toString(1 << octave));
        }
        for (int i = 0; i < figures.size(); i++) {
            row(figures.get(i), TOP + ROW * i);
        }
        add("</svg>");
    }

    private void row(Figure f, int y) {
        boolean better = f.metric().unit().lessIsBetter() ? f.ratio() <= 1 : f.ratio() >= 1;
        double from = Math.min(x(1), x(f.ratio()));
        double to = Math.max(x(1), x(f.ratio()));
        add(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s %s</text>",
                LABELS - 8, y + 14, f.comparison(), f.metric().what());
        add(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                from, y + 5, to - from, ROW - 10, better ? "#7ab87a" : "#d9a066");
        add(
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#222\" stroke-width=\"2\"/>",
                x(f.least()), y + ROW / 2, x(f.most()), y + ROW / 2);
        add(
                "<text x=\"%d\" y=\"%d\">%s (%s)</text>",
                LABELS + BARS + 8,
                y + 14,
                Figure.text(f.ratio()),
                f.metric().unit().label());
    }

    private static double x(double ratio) {
        double octaves = Math.log(ratio) / Math.log(2);
        double inside = Math.max(-OCTAVES, Math.min(OCTAVES, octaves));
        return LABELS + BARS * (inside + OCTAVES) / (2 * OCTAVES);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
