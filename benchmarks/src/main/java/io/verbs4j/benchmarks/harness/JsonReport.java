/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import com.google.gson.FormattingStyle;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
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
    private static final Gson JSON = new GsonBuilder()
            .setStrictness(Strictness.STRICT)
            .setFormattingStyle(FormattingStyle.COMPACT.withSpaceAfterSeparators(true))
            .serializeNulls()
            .disableHtmlEscaping()
            .create();

    /**
     * Reads what {@link #of} wrote.
     *
     * @throws IllegalArgumentException if the text is no such report
     */
    public static JsonReport read(String json) {
        try {
            Map<?, ?> report = JSON.fromJson(json, Map.class);
            Map<String, String> machine = new LinkedHashMap<>();
            ((Map<?, ?>) report.get("machine")).forEach((what, text) -> machine.put((String) what, (String) text));
            List<Figure> figures = new ArrayList<>();
            ((List<?>) report.get("figures")).forEach(figure -> figures.add(figure((Map<?, ?>) figure)));
            return new JsonReport(machine, figures);
        } catch (ClassCastException | NullPointerException | JsonParseException e) {
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

    /** Returns the report as JSON, a figure per line. */
    public static String of(Map<String, String> machine, List<Figure> figures) {
        return "{\n  \"machine\": " + JSON.toJson(machine) + ",\n  \"figures\": [\n    "
                + figures.stream().map(figure -> JSON.toJson(members(figure))).collect(Collectors.joining(",\n    "))
                + "\n  ]\n}\n";
    }

    private static Map<String, Object> members(Figure f) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("comparison", f.comparison());
        members.put("what", f.metric().what());
        members.put("unit", f.metric().unit().label());
        members.put("lessIsBetter", f.metric().unit().lessIsBetter());
        members.put("ratio", finite(f.ratio()));
        members.put("least", finite(f.least()));
        members.put("most", finite(f.most()));
        members.put("difference", finite(f.difference()));
        members.put("ours", f.ours().stream().map(JsonReport::finite).toList());
        members.put("theirs", f.theirs().stream().map(JsonReport::finite).toList());
        return members;
    }

    private static Double finite(Double value) {
        return Double.isFinite(value) ? value : null; // JSON has no infinity
    }
}
