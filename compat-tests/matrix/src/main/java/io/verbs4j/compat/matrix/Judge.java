/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import io.verbs4j.compat.matrix.ProgramRun.Line;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Compares what happened with what the rules require, step by step. */
final class Judge {
    private static final String UNSUPPORTED = "EOPNOTSUPP";
    private static final String UNREACHED = "unreached";

    private final Cell cell;
    private final Expectation expected;
    private final List<String> problems = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();

    private Judge(Cell cell, Expectation expected) {
        this.cell = cell;
        this.expected = expected;
    }

    /** Judges a combination that did not compile, or must not. */
    static CellResult compiled(Cell cell, Compilation compilation) {
        Judge judge = new Judge(cell, Expectation.of(cell));
        Outcome outcome = compilation.succeeded() ? Outcome.Y : Outcome.N;
        if (outcome != judge.expected.outcome()) {
            judge.problems.add(
                    outcome == Outcome.N
                            ? "it does not compile: "
                                    + oneLine(compilation.complaints().get(0).text())
                            : "it compiles against a header that should lack its symbols");
        } else {
            judge.symbols(compilation);
        }
        String summary = outcome == Outcome.N
                ? "does not compile, " + compilation.complaints().size() + " errors: cannot find "
                        + String.join(", ", missed(cell, compilation))
                : "compiles";
        String output = compilation.complaints().stream()
                .map(error -> error.text() + "\n")
                .collect(Collectors.joining());
        return judge.result(outcome, summary, compilation.command(), output);
    }

    private void symbols(Compilation compilation) {
        for (Compilation.Complaint error : compilation.complaints()) {
            boolean form = error.code().startsWith("compiler.err.cant.apply")
                    || error.code().equals("compiler.err.invalid.mref")
                    || error.code().equals("compiler.err.package.not.visible");
            boolean missed = form && symbols(cell).stream().anyMatch(MissingNames.of(List.of(error))::has);
            // A method overrides nothing if the superclass is missing.
            boolean follows = error.code().equals("compiler.err.method.does.not.override.superclass");
            if (!missed && !follows && !error.code().startsWith("compiler.err.cant.resolve")) {
                problems.add("javac reports an error other than a missing symbol: " + oneLine(error.text()));
            }
        }
        Set<String> missed = missed(cell, compilation);
        for (String symbol : symbols(cell)) {
            if (!missed.contains(symbol)) {
                problems.add("javac does not report as missing: " + symbol);
            }
        }
    }

    private static Set<String> missed(Cell cell, Compilation compilation) {
        MissingNames missing = MissingNames.of(compilation.complaints());
        return symbols(cell).stream().filter(missing::has).collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@return names that were added after the header that the program is compiled with} */
    private static List<String> symbols(Cell cell) {
        return cell.app().symbols().tailMap(cell.header().level(), false).values().stream()
                .flatMap(List::stream)
                .toList();
    }

    /** Judges a combination that ran. */
    static CellResult ran(Cell cell, ProgramRun run) {
        return ran(cell, Expectation.of(cell), run);
    }

    /** Judges a combination that ran, by other rules. */
    static CellResult ran(Cell cell, Expectation expected, ProgramRun run) {
        Judge judge = new Judge(cell, expected);
        List<Line> lines = run.lines();
        Outcome outcome = judge.outcome(run, lines);
        if (outcome != judge.expected.outcome()) {
            judge.problems.add("expected " + judge.expected.outcome() + ", but was " + outcome);
        }
        if (outcome == Outcome.Y) {
            judge.oldVerbs(lines);
            judge.newVerbs(lines);
            judge.witness(lines);
            outcome = verified(lines) ? Outcome.Y : Outcome.UNSHOWN;
        }
        return judge.result(outcome, summary(lines), String.join(" ", run.command()), run.out() + run.err());
    }

    private Outcome outcome(ProgramRun run, List<Line> lines) {
        Line provider = find(lines, "provider", null);
        Line list = find(lines, "old", "get_device_list");
        Line open = find(lines, "old", "open_device");
        if (run.status() != 0 || find(lines, "end", "main") == null) {
            problems.add("the program ended with status " + run.status() + ": " + oneLine(run.remarks()));
            return Outcome.FAILED;
        }
        if (list != null && list.status().equals("EPROTO")) {
            told(Outcome.EPROTO, list.text());
            return Outcome.EPROTO;
        }
        if (provider == null) {
            problems.add("the provider was not found");
            return Outcome.FAILED;
        }
        if (provider.status().equals("aside")) {
            told(Outcome.ASIDE, provider.text());
            return Outcome.ASIDE;
        }
        if (open == null) {
            problems.add("the provider has no device");
            return Outcome.FAILED;
        }
        if (open.status().equals("EPROTO")) {
            told(Outcome.EPROTO, open.text());
            return Outcome.EPROTO;
        }
        if (!open.status().equals(Expectation.WORKS)) {
            problems.add("open_device: " + open.status() + " " + open.text());
            return Outcome.FAILED;
        }
        return Outcome.Y;
    }

    private void told(Outcome outcome, String text) {
        if (expected.outcome() == outcome && expected.words().stream().noneMatch(text::contains)) {
            problems.add("the message contains none of " + expected.words() + ": " + text);
        } else if (expected.outcome() != outcome) {
            problems.add(text);
        }
    }

    private void oldVerbs(List<Line> lines) {
        for (Line line : lines) {
            if (line.group().equals("old") && !line.status().equals(Expectation.WORKS)) {
                if (!mayLack(line, lines)) {
                    problems.add(line.step() + ": " + line.status() + " " + line.text());
                }
            }
        }
        for (String step : List.of("create_qp", "send", "rdma_write", "close")) {
            if (find(lines, "old", step) == null) {
                problems.add("the program did not report " + step);
            }
        }
    }

    /** {@return whether the program saw the device move data, and compared every byte} */
    private static boolean verified(List<Line> lines) {
        return lines.stream()
                .anyMatch(line ->
                        line.status().equals(Expectation.WORKS) && line.text().matches("[1-9][0-9]* bytes verified"));
    }

    /** Checks what the witness was given and returned, if it is the provider. */
    private void witness(List<Line> lines) {
        Line provider = find(lines, "provider", Witness.NAME);
        List<String> steps = provider == null
                ? List.of()
                : Witness.steps(
                        cell.app(), cell.library().level(), cell.provider().level());
        for (String step : steps) {
            Line line = find(lines, "witness", step);
            if (line == null || !line.status().equals(Expectation.WORKS)) {
                String what = line == null ? "the program did not report it" : line.status() + " " + line.text();
                problems.add("witness " + step + ": " + what);
            }
        }
    }

    private void newVerbs(List<Line> lines) {
        Map<String, Line> told = new LinkedHashMap<>();
        for (Line line : lines) {
            if (line.group().equals("new") || line.group().equals("mask")) {
                told.put(line.group() + " " + line.step(), line);
            }
        }
        steps(lines).forEach((step, result) -> {
            Line line = told.remove(step);
            if (line == null) {
                problems.add("the program did not report " + step);
            } else if (!line.status().equals(result.status()) || !line.text().contains(result.words())) {
                if (!lacks(line, result, lines)) {
                    problems.add(step + ": expected " + result.status() + " " + result.words() + ", but was "
                            + line.status() + " " + line.text());
                }
            }
        });
        if (!told.isEmpty()) {
            problems.add("the program reported " + told.keySet() + ", which no rule expects");
        }
    }

    /**
     * {@return the expected result of each step} A verb that the device reports as missing beforehand is judged as for
     * an older provider.
     */
    private Map<String, Expectation.Result> steps(List<Line> lines) {
        Map<String, Expectation.Result> steps = new LinkedHashMap<>(expected.steps());
        for (Line line : lines) {
            if (line.group().equals("lacks")) {
                skipped.add(line.step() + ": the device reports that it lacks it");
                for (Step step : cell.app().steps()) {
                    if (step.verb().equals(line.step())) {
                        steps.put(step.group() + " " + step.name(), Expectation.of(step, true, false));
                    }
                }
            }
        }
        return steps;
    }

    /** {@return whether a foreign provider may lack the step} */
    private boolean lacks(Line line, Expectation.Result result, List<Line> lines) {
        if (cell.provider().foreign()
                && result.words().equals("extended")
                && line.text().equals("fall-back")) {
            skipped.add(line.step() + ": fell back");
            return true;
        }
        // A library that is too old must be reported wherever the program could call the verb.
        boolean asked = !line.status().equals(UNREACHED);
        return !(asked && result.status().equals("ENOSYS")) && mayLack(line, lines);
    }

    private boolean mayLack(Line line, List<Line> lines) {
        boolean unsupported = line.status().equals(UNSUPPORTED);
        // The step was unreachable because the provider lacks something else.
        boolean behind = line.status().equals(UNREACHED)
                && lines.stream()
                        .anyMatch(other -> other.status().equals(UNSUPPORTED)
                                && !other.group().equals("mask"));
        if (cell.provider().foreign() && (unsupported || behind)) {
            skipped.add(line.step() + ": " + line.text());
            return true;
        }
        return false;
    }

    private static String summary(List<Line> lines) {
        Line list = find(lines, "old", "get_device_list");
        if (list != null && !list.status().equals(Expectation.WORKS)) {
            return list.text();
        }
        Line provider = find(lines, "provider", null);
        if (provider != null && provider.status().equals("aside")) {
            return "set aside: " + provider.text();
        }
        Line open = find(lines, "old", "open_device");
        if (open != null && !open.status().equals(Expectation.WORKS)) {
            return open.text();
        }
        boolean old = lines.stream()
                .filter(line -> line.group().equals("old"))
                .allMatch(line -> line.status().equals(Expectation.WORKS));
        String verified = find(lines, "old", "send") == null
                ? ""
                : find(lines, "old", "send").text();
        String text = old ? "old verbs work (" + verified + ")" : "not all old verbs work";
        if (!verified(lines)) {
            text += ", but no data moved: not shown";
        }
        String others = lines.stream()
                .filter(line -> line.group().equals("new") || line.group().equals("mask"))
                .map(line -> (line.group().equals("mask") ? "unknown bit in " : "") + line.step() + " " + line.status()
                        + (line.status().equals(Expectation.WORKS)
                                        && !line.text().isEmpty()
                                ? " (" + line.text() + ")"
                                : ""))
                .collect(Collectors.joining(", "));
        String told = lines.stream()
                .filter(line -> line.group().equals("new") && line.status().startsWith("E"))
                .findFirst()
                .map(line -> "; the first of these says: " + line.text())
                .orElse("");
        return others.isEmpty() ? text : text + "; " + others + told;
    }

    private CellResult result(Outcome outcome, String summary, String command, String output) {
        return new CellResult(
                cell, expected, outcome, List.copyOf(problems), List.copyOf(skipped), summary, command, output);
    }

    private static Line find(List<Line> lines, String group, String step) {
        return lines.stream()
                .filter(line -> line.group().equals(group)
                        && (step == null || line.step().equals(step)))
                .findFirst()
                .orElse(null);
    }

    private static String oneLine(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() > 300 ? line.substring(0, 300) + " ..." : line;
    }
}
