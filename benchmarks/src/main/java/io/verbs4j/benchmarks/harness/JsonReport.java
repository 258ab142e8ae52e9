/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * All figures, with the values of each round, as JSON.
 *
 * @param machine facts about the machine of the measurements
 * @param figures the figures
 */
public record JsonReport(Map<String, String> machine, List<Figure> figures) {
    /**
     * Reads what {@link #of} wrote.
     *
     * @throws IllegalArgumentException if the text is no such report
     */
    public static JsonReport read(String json) {
        try {
            Map<?, ?> report = (Map<?, ?>) JsonReader.read(json);
            Map<String, String> machine = new LinkedHashMap<>();
            ((Map<?, ?>) report.get("machine")).forEach((what, text) -> machine.put((String) what, (String) text));
            List<Figure> figures = new ArrayList<>();
            ((List<?>) report.get("figures")).forEach(figure -> figures.add(figure((Map<?, ?>) figure)));
            return new JsonReport(machine, figures);
        } catch (ClassCastException | NullPointerException e) {
            throw new IllegalArgumentException("not written by --json", e);
        }
    }

    private static Figure figure(Map<?, ?> f) {
        String what = (String) Objects.requireNonNull(f.get("what"));
        return new Figure(
                (String) Objects.requireNonNull(f.get("comparison")),
                new Metric(what, Unit.labelled((String) f.get("unit"))),
                values((List<?>) f.get("ours")),
                values((List<?>) f.get("theirs")));
    }

    private static List<Double> values(List<?> values) {
        return values.stream()
                .map(value -> value == null ? Double.NaN : (Double) value) // null: JSON has no infinity
                .toList();
    }

    /** Returns the report as JSON. */
    public static String of(Map<String, String> machine, List<Figure> figures) {
        return "{\n  \"machine\": {"
                + machine.entrySet().stream()
                        .map(e -> quoted(e.getKey()) + ": " + quoted(e.getValue()))
                        .collect(Collectors.joining(", "))
                + "},\n  \"figures\": [\n    "
                + figures.stream().map(JsonReport::figure).collect(Collectors.joining(",\n    "))
                + "\n  ]\n}\n";
    }

    private static String figure(Figure f) {
        return "{\"comparison\": " + quoted(f.comparison())
                + ", \"what\": " + quoted(f.metric().what())
                + ", \"unit\": " + quoted(f.metric().unit().label())
                + ", \"lessIsBetter\": " + f.metric().unit().lessIsBetter()
                + ", \"ratio\": " + number(f.ratio())
                + ", \"least\": " + number(f.least())
                + ", \"most\": " + number(f.most())
                + ", \"difference\": " + number(f.difference())
                + ", \"ours\": " + numbers(f.ours())
                + ", \"theirs\": " + numbers(f.theirs()) + "}";
    }

    private static String numbers(List<Double> values) {
        return values.stream().map(JsonReport::number).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String number(Double value) {
        return Double.isFinite(value) ? value.toString() : "null"; // JSON has no infinity
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else {
                quoted.append(c < ' ' ? ' ' : c);
            }
        }
        return quoted.append('"').toString();
    }
}
