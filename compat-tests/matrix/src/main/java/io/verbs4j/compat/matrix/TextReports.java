/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.List;

/** The reports that are plain text, Markdown or JUnit XML. */
final class TextReports {
    private TextReports() {}

    /** {@return the table for the terminal} */
    static String table(List<CellResult> results) {
        return table(results, null);
    }

    /** {@return the table for the terminal, with commands that run red combinations again} */
    static String table(List<CellResult> results, RunRecord run) {
        StringBuilder out = new StringBuilder();
        for (Grid grid : Grid.of(results)) {
            out.append(grid.title()).append('\n');
            for (int i = 0; i < grid.columns().size(); i++) {
                out.append(String.format("  %2d = %s%n", i + 1, grid.columns().get(i)));
            }
            out.append(String.format("%n  %3s  %-8s %-8s %-8s", "row", "app", "header", "library"));
            for (int i = 0; i < grid.columns().size(); i++) {
                out.append(String.format(" %8d", i + 1));
            }
            out.append('\n');
            for (Grid.Line line : grid.lines()) {
                Cell cell = line.first().cell();
                out.append(String.format(
                        "  %3d  %-8s %-8s %-8s",
                        line.row(),
                        cell.app().name(),
                        cell.header().name(),
                        cell.library().name()));
                for (CellResult result : line.cells()) {
                    out.append(String.format(
                            " %8s", result == null ? "" : result.outcome() + (result.green() ? "" : "!")));
                }
                out.append('\n');
            }
            out.append('\n');
        }
        List<CellResult> red = red(results);
        for (CellResult result : red) {
            out.append("RED ")
                    .append(result.cell())
                    .append("\n    ")
                    .append(result.detail())
                    .append("\n    ");
            out.append(run == null ? result.command() : run.again(result.cell()))
                    .append('\n');
        }
        for (String skipped : skipped(results)) {
            out.append("skipped: ").append(skipped).append('\n');
        }
        return out.append(verdict(results)).append('\n').toString();
    }

    /** {@return what providers lack, each once} */
    static List<String> skipped(List<CellResult> results) {
        return results.stream().flatMap(r -> r.skipped().stream()).distinct().toList();
    }

    static String verdict(List<CellResult> results) {
        int red = red(results).size();
        int unshown = unshown(results).size();
        return results.size() + " combinations, " + (red == 0 ? "all as expected" : red + " not as expected")
                + (unshown == 0
                        ? ""
                        : ", but " + unshown + " not shown: the device moved no data that the program could compare");
    }

    /** {@return results that are as expected, but not shown to work} */
    static List<CellResult> unshown(List<CellResult> results) {
        return results.stream()
                .filter(result -> result.green() && result.outcome() == Outcome.UNSHOWN)
                .toList();
    }

    static List<CellResult> red(List<CellResult> results) {
        return results.stream().filter(result -> !result.green()).toList();
    }

    /** {@return the outcome} A wrong detail counts as a wrong outcome, for readers who only compare outcomes. */
    static String outcome(CellResult result) {
        boolean onlyInADetail =
                !result.green() && result.outcome() == result.expected().outcome();
        return (onlyInADetail ? Outcome.FAILED : result.outcome()).name();
    }

    static String markdown(List<CellResult> results, NativeSection section, SchemeSection schemes) {
        StringBuilder out = new StringBuilder("# Compatibility matrix\n\n" + verdict(results) + ".\n");
        for (Grid grid : Grid.of(results)) {
            out.append("\n## ").append(grid.title()).append("\n\n| row | app | header | library |");
            grid.columns()
                    .forEach(c -> out.append(' ').append(Escape.markdown(c)).append(" |"));
            out.append("\n|---|---|---|---|")
                    .append("---|".repeat(grid.columns().size()))
                    .append('\n');
            for (Grid.Line line : grid.lines()) {
                Cell cell = line.first().cell();
                out.append("| ")
                        .append(line.row())
                        .append(" | ")
                        .append(cell.app().name());
                out.append(" | ").append(cell.header().name()).append(" | ");
                out.append(cell.library().name()).append(" |");
                for (CellResult result : line.cells()) {
                    String text = result == null
                            ? ""
                            : result.green()
                                    ? result.outcome().name()
                                    : "**" + result.outcome() + ", expected "
                                            + result.expected().outcome() + "**";
                    out.append(' ').append(text).append(" |");
                }
                out.append('\n');
            }
        }
        out.append("\n## What happened\n\n| row | provider | detail |\n|---|---|---|\n");
        for (CellResult result : results) {
            out.append("| ").append(result.cell().row()).append(" | ");
            out.append(Escape.markdown(result.cell().provider().name())).append(" | ");
            out.append(Escape.markdown(result.detail())).append(" |\n");
        }
        return out.append(NativeReports.markdown(section))
                .append(SchemeReports.markdown(schemes))
                .toString();
    }

    /**
     * Writes JUnit XML. What is not shown to work fails too, with another type, so that the file alone agrees with the
     * exit status.
     */
    static String junit(List<CellResult> results, NativeSection section, RunRecord run) {
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
        out.append("<testsuite name=\"compatibility matrix\" tests=\"").append(results.size());
        out.append("\" failures=\"")
                .append(red(results).size() + unshown(results).size());
        out.append("\" errors=\"0\" skipped=\"0\">\n<properties>\n");
        property(out, "verdict", verdict(results));
        property(out, "status", "" + run.status(results, section));
        property(out, "command", run.command());
        property(out, "commit", run.commit());
        out.append("</properties>\n");
        for (CellResult result : results) {
            testcase(
                    out,
                    "matrix.row" + result.cell().row(),
                    result.cell().toString(),
                    result,
                    run.again(result.cell()));
        }
        return out.append("</testsuite>\n")
                .append(NativeReports.junit(section, run.nativeMissing(section)))
                .append("</testsuites>\n")
                .toString();
    }

    private static void property(StringBuilder out, String name, String value) {
        out.append("<property name=\"").append(name).append("\" value=\"");
        out.append(Escape.xml(value)).append("\"/>\n");
    }

    static void testcase(StringBuilder out, String group, String name, CellResult result, String command) {
        out.append("  <testcase classname=\"").append(group).append("\" name=\"");
        out.append(Escape.xml(name)).append("\">\n");
        if (!result.green()) {
            out.append("    <failure type=\"RED\" message=\"")
                    .append(Escape.xml(String.join("; ", result.problems())))
                    .append("\"/>\n");
        } else if (result.outcome() == Outcome.UNSHOWN) {
            out.append("    <failure type=\"UNSHOWN\" message=\"as expected, but not shown:")
                    .append(" the device moved no data that the program could compare\"/>\n");
        }
        out.append("    <system-out>")
                .append(Escape.xml(command + "\n" + result.detail() + "\n" + result.excerpt()))
                .append("</system-out>\n  </testcase>\n");
    }
}
