/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import io.verbs4j.compat.matrix.ProgramRun.Line;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The report for programs: each combination with everything that distinguishes it, its expectation, and its result. */
final class JsonReport {
    private JsonReport() {}

    static String of(List<CellResult> results, NativeSection section, SchemeSection schemes, RunRecord run) {
        return "{\"run\":" + run(results, section, run) + ",\n\"rows\":"
                + results.stream().map(result -> row(result, run)).collect(Collectors.joining(",\n", "[\n", "\n]"))
                + ",\n\"native\":" + NativeReports.json(section) + ",\n\"schemes\":" + SchemeReports.json(schemes)
                + "}\n";
    }

    private static String run(List<CellResult> results, NativeSection section, RunRecord run) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("verdict", Escape.json(TextReports.verdict(results)));
        fields.put("status", "" + run.status(results, section));
        fields.put("combinations", "" + results.size());
        fields.put("red", "" + TextReports.red(results).size());
        fields.put("unshown", "" + TextReports.unshown(results).size());
        fields.put("command", Escape.json(run.command()));
        fields.put("commit", Escape.json(run.commit()));
        fields.put("skipped", strings(TextReports.skipped(results)));
        fields.put(
                "artifacts",
                run.artifacts().stream()
                        .map(jar -> object(Map.of(
                                "release", Escape.json(jar.release()),
                                "commit", Escape.json(jar.commit()),
                                "file", Escape.json(jar.file()),
                                "sha256", Escape.json(jar.sha256()))))
                        .collect(Collectors.joining(",\n  ", "[\n  ", "]")));
        return object(fields);
    }

    private static String row(CellResult result, RunRecord run) {
        Cell cell = result.cell();
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("row", "" + cell.row());
        fields.put("app", Escape.json(cell.app().name()));
        fields.put("header", Escape.json(cell.header().name()));
        fields.put("library", Escape.json(cell.library().name()));
        fields.put("provider", Escape.json(cell.provider().name()));
        fields.put("runtimeHeader", Escape.json(cell.runtimeHeader().name()));
        fields.put("path", Escape.json(cell.modular() ? "module path" : "class path"));
        fields.put("jdk", Escape.json(cell.jdk().version()));
        fields.put("expected", Escape.json(result.expected().outcome().name()));
        fields.put("outcome", Escape.json(TextReports.outcome(result)));
        fields.put("asExpected", "" + result.green());
        fields.put("problems", strings(result.problems()));
        fields.put("skipped", strings(result.skipped()));
        fields.put(
                "steps",
                result.steps().stream()
                        .map(step -> step(step, result.expected()))
                        .collect(Collectors.joining(",", "[", "]")));
        fields.put("detail", Escape.json(result.detail()));
        fields.put("command", Escape.json(result.command()));
        fields.put("again", Escape.json(run.again(cell)));
        return object(fields);
    }

    private static String step(Line step, Expectation expected) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("group", Escape.json(step.group()));
        fields.put("step", Escape.json(step.step()));
        fields.put("status", Escape.json(step.status()));
        Expectation.Result wanted = expected.steps().get(step.group() + " " + step.step());
        if (wanted != null) {
            fields.put("expected", Escape.json(wanted.status()));
        }
        fields.put("text", Escape.json(step.text()));
        return object(fields);
    }

    private static String object(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> Escape.json(field.getKey()) + ":" + field.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String strings(List<String> texts) {
        return texts.stream().map(Escape::json).collect(Collectors.joining(",", "[", "]"));
    }
}
