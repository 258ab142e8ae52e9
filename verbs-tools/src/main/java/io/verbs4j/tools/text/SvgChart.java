/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A self-contained line chart as SVG: sizes on the x axis by powers of two, values on the y axis by powers of ten. */
public final class SvgChart {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 520;
    private static final int LEFT = 90;
    private static final int RIGHT = 130;
    private static final int TOP = 60;
    private static final int BOTTOM = 70;
    private static final int MOST_LABELS = 12;

    /** Colours that people with colour blindness can tell apart; the marks differ as well. */
    private static final String[] COLOURS = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};

    private record Point(double x, double y) {}

    private record Series(String name, List<Point> points) {}

    private final String title;
    private final String xLabel;
    private final String yLabel;
    private final List<Series> all = new ArrayList<>();
    private final StringBuilder svg = new StringBuilder();
    private int lowX = Integer.MAX_VALUE;
    private int highX = Integer.MIN_VALUE;
    private int lowY = Integer.MAX_VALUE;
    private int highY = Integer.MIN_VALUE;

    /**
     * Creates an empty chart.
     *
     * @param title its title
     * @param xLabel name of the x axis
     * @param yLabel name of the y axis
     */
    public SvgChart(String title, String xLabel, String yLabel) {
        this.title = title;
        this.xLabel = xLabel;
        this.yLabel = yLabel;
    }

    /**
     * Adds a line. Points that a logarithmic scale can't show are left out.
     *
     * @param name its name
     * @param x x coordinates of its points
     * @param y y coordinates of its points
     */
    public void series(String name, double[] x, double[] y) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < x.length; i++) {
            if (drawable(x[i], y[i])) {
                points.add(new Point(x[i], y[i]));
                lowX = Math.min(lowX, (int) Math.floor(log2(x[i])));
                highX = Math.max(highX, (int) Math.ceil(log2(x[i])));
                lowY = Math.min(lowY, (int) Math.floor(Math.log10(y[i])));
                highY = Math.max(highY, (int) Math.ceil(Math.log10(y[i])));
            }
        }
        all.add(new Series(name, points));
    }

    private static boolean drawable(double x, double y) {
        return x > 0 && y > 0 && Double.isFinite(x) && Double.isFinite(y);
    }

    private static double log2(double x) {
        return Math.log(x) / Math.log(2);
    }

    /** {@return the chart as SVG} */
    public String draw() {
        if (lowX > highX) {
            lowX = highX = lowY = highY = 0; // nothing to draw
        }
        if (lowX == highX) {
            lowX--;
            highX++;
        }
        if (lowY == highY) {
            highY++;
        }
        svg.setLength(0);
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"13\">%n",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
        add("<title>%s</title>%n", escape(title));
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n");
        text(WIDTH / 2.0, 32, "middle", "font-size=\"18\"", title);
        grid();
        for (int i = 0; i < all.size(); i++) {
            line(all.get(i), i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void grid() {
        int bottom = HEIGHT - BOTTOM;
        int right = WIDTH - RIGHT;
        for (int decade = lowY; decade <= highY; decade++) {
            for (int digit = 2; digit < 10 && decade < highY; digit++) {
                rule(LEFT, y(digit * Math.pow(10, decade)), right, y(digit * Math.pow(10, decade)), "#eeeeee");
            }
            double at = y(Math.pow(10, decade));
            rule(LEFT, at, right, at, "#bbbbbb");
            text(LEFT - 8, at + 4, "end", "", number(decade));
        }
        int every = (highX - lowX) / MOST_LABELS + 1;
        for (int power = lowX; power <= highX; power++) {
            double at = x(Math.pow(2, power));
            rule(at, TOP, at, bottom, (power - lowX) % every == 0 ? "#bbbbbb" : "#eeeeee");
            if ((power - lowX) % every == 0) {
                text(at, bottom + 20, "middle", "", bytes(power));
            }
        }
        add(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#333333\"/>%n",
                LEFT, TOP, right - LEFT, bottom - TOP);
        text((LEFT + right) / 2.0, HEIGHT - 22, "middle", "", xLabel);
        double middle = (TOP + bottom) / 2.0;
        text(24, middle, "middle", String.format(Locale.ROOT, "transform=\"rotate(-90 24 %.1f)\"", middle), yLabel);
    }

    private void line(Series series, int index) {
        String colour = COLOURS[index % COLOURS.length];
        StringBuilder points = new StringBuilder();
        StringBuilder marks = new StringBuilder();
        for (Point point : series.points()) {
            double px = x(point.x());
            double py = y(point.y());
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", px, py));
            marks.append(mark(index, px, py, colour));
        }
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n%s",
                points.toString().trim(), colour, marks);
        double at = TOP + 12 + index * 22;
        svg.append(mark(index, WIDTH - RIGHT + 20, at, colour));
        text(WIDTH - RIGHT + 32, at + 4, "start", "", series.name());
    }

    private static String mark(int index, double x, double y, String colour) {
        return switch (index % 3) {
            case 0 ->
                String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>%n", x, y, colour);
            case 1 ->
                String.format(
                        Locale.ROOT,
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\" fill=\"%s\"/>%n",
                        x - 3.5,
                        y - 3.5,
                        colour);
            default -> String.format(Locale.ROOT, "<path d=\"M%.1f %.1fl5 8h-10z\" fill=\"%s\"/>%n", x, y - 5, colour);
        };
    }

    private void rule(double x1, double y1, double x2, double y2, String colour) {
        add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n", x1, y1, x2, y2, colour);
    }

    private void text(double x, double y, String anchor, String more, String text) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>%n",
                x, y, anchor, more.isEmpty() ? "" : " " + more, escape(text));
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }

    private double x(double value) {
        return LEFT + (log2(value) - lowX) / (highX - lowX) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (Math.log10(value) - lowY) / (highY - lowY) * (HEIGHT - TOP - BOTTOM);
    }

    private static String number(int decade) {
        return decade >= 0
                ? String.format(Locale.ROOT, "%,.0f", Math.pow(10, decade)).replace(',', ' ')
                : String.format(Locale.ROOT, "%." + -decade + "f", Math.pow(10, decade));
    }

    private static String bytes(int power) {
        return power < 0
                ? ""
                : power < 10 ? "" + (1 << power) : power < 20 ? (1 << power - 10) + "K" : (1L << power - 20) + "M";
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
