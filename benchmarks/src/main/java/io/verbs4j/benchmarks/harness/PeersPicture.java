/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A picture of round-trip time and bandwidth between two processes of one machine: of the embedded device, and of what
 * a program would use instead. It uses the figures of {@code rxe-tcp}, {@code rxe-uds} and {@code rxe-jucx}, and leaves
 * out those that were not measured.
 */
public final class PeersPicture {
    private static final String ROUND_TRIP = "onecopy-round-trip-64B-polled";
    private static final String SEND = "onecopy-send-64KiB";
    private static final String WRITE = "onecopy-write-64KiB";

    private static final int WIDTH = 760;
    private static final int LABELS = 200;
    private static final int BARS = 440;
    private static final int ROW = 26;
    private static final int HEADING = 40;

    private final List<Figure> figures;
    private final StringBuilder svg = new StringBuilder();

    private record Bar(String label, double value, boolean ours) {}

    private record Rival(String comparison, String label) {}

    private static final List<Rival> RIVALS = List.of(
            new Rival("rxe-jucx", "UCX (jucx)"),
            new Rival("rxe-uds", "Unix-domain socket"),
            new Rival("rxe-tcp", "TCP"));

    private PeersPicture(List<Figure> figures) {
        this.figures = figures;
    }

    /**
     * Draws the picture.
     *
     * @param figures the figures
     * @throws IllegalArgumentException if the picture uses none of them
     */
    public static String of(List<Figure> figures) {
        return new PeersPicture(figures).draw();
    }

    private String draw() {
        List<Bar> roundTrips = new ArrayList<>();
        ours(roundTrips, "verbs4j", ROUND_TRIP);
        theirs(roundTrips, ROUND_TRIP);
        List<Bar> streams = new ArrayList<>();
        ours(streams, "verbs4j, RDMA WRITE", WRITE);
        ours(streams, "verbs4j, SEND", SEND);
        theirs(streams, SEND);
        if (roundTrips.isEmpty() || streams.isEmpty()) {
            throw new IllegalArgumentException("run all cases of rxe-tcp, rxe-uds or rxe-jucx");
        }
        int height = 2 * HEADING + ROW * (roundTrips.size() + streams.size()) + 20;
        add(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d'"
                        + " font-family='sans-serif' font-size='14'>",
                WIDTH, height, WIDTH, height);
        add("<rect width='100%%' height='100%%' fill='white'/>");
        int y = panel("Round trip of 64 bytes, in µs: shorter is better", roundTrips, 0);
        panel("Bandwidth of 64 KiB messages, in MB/s: longer is better", streams, y + 10);
        add("</svg>");
        return svg.toString();
    }

    private void ours(List<Bar> bars, String label, String what) {
        List<Double> all = values(what, null, Figure::ours);
        if (!all.isEmpty()) {
            bars.add(new Bar(label, Figure.median(all), true));
        }
    }

    private void theirs(List<Bar> bars, String what) {
        for (Rival rival : RIVALS) {
            List<Double> all = values(what, rival.comparison, Figure::theirs);
            if (!all.isEmpty()) {
                bars.add(new Bar(rival.label, Figure.median(all), false));
            }
        }
    }

    private List<Double> values(String what, String comparison, Function<Figure, List<Double>> side) {
        return figures.stream()
                .filter(figure -> figure.metric().what().equals(what))
                .filter(figure -> comparison == null || figure.comparison().equals(comparison))
                .flatMap(figure -> side.apply(figure).stream())
                .toList();
    }

    private int panel(String heading, List<Bar> bars, int top) {
        double most = bars.stream().mapToDouble(Bar::value).max().orElseThrow();
        add("<text x='10' y='%d' font-weight='bold'>%s</text>", top + 26, heading);
        int y = top + HEADING;
        for (Bar bar : bars) {
            double length = Math.max(1, BARS * bar.value / most);
            add("<text x='%d' y='%d' text-anchor='end'>%s</text>", LABELS - 8, y + 17, bar.label);
            add(
                    "<rect x='%d' y='%d' width='%.1f' height='%d' fill='%s'/>",
                    LABELS, y + 3, length, ROW - 6, bar.ours ? "#2f7d4f" : "#9aa5b1");
            add("<text x='%.1f' y='%d'>%s</text>", LABELS + length + 6, y + 17, text(bar.value));
            y += ROW;
        }
        return y;
    }

    private static String text(double value) {
        return value >= 100 ? String.format(Locale.ROOT, "%,.0f", value) : Figure.text(value);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
