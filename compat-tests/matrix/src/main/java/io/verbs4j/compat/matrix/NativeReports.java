/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.List;
import java.util.stream.Collectors;

/** The part on releases of rdma-core, in each format of the report. */
final class NativeReports {
    private NativeReports() {}

    private static String mark(NativeResult result) {
        return result.result().outcome() + (result.green() ? "" : "!");
    }

    /** {@return the table for the terminal} */
    static String table(NativeSection section) {
        StringBuilder out = new StringBuilder(NativeSection.TITLE).append('\n');
        if (section.reason().isEmpty()) {
            out.append(String.format("%n  %3s  %-8s %-8s %-8s", "row", "app", "header", "library"));
            section.releases().forEach(release -> out.append(String.format(" %6d", release.number())));
            out.append('\n');
            for (List<NativeResult> row : section.rows()) {
                Cell cell = row.get(0).cell().cell();
                out.append(String.format(
                        "  %3d  %-8s %-8s %-8s",
                        cell.row(),
                        cell.app().name(),
                        cell.header().name(),
                        cell.library().name()));
                row.forEach(result -> out.append(String.format(" %6s", mark(result))));
                out.append('\n');
            }
            out.append('\n');
        }
        for (NativeResult red : section.red()) {
            out.append("RED ").append(red.cell()).append("\n    ");
            out.append(red.result().detail())
                    .append("\n    ")
                    .append(red.result().command())
                    .append('\n');
        }
        return out.append(section.verdict()).append('\n').toString();
    }

    static String html(NativeSection section) {
        StringBuilder out =
                new StringBuilder("<h2>").append(NativeSection.TITLE).append("</h2>\n<p>");
        out.append(Escape.xml(section.verdict())).append("</p>\n");
        if (!section.reason().isEmpty()) {
            return out.toString();
        }
        out.append("<div class=\"scroll\"><table>\n<tr><th>row</th><th>app</th><th>header</th><th>library</th>");
        section.releases().forEach(release -> out.append("<th>").append(release).append("</th>"));
        out.append("</tr>\n");
        for (List<NativeResult> row : section.rows()) {
            Cell cell = row.get(0).cell().cell();
            out.append("<tr><th>").append(cell.row()).append("</th>");
            for (String name : List.of(
                    cell.app().name(), cell.header().name(), cell.library().name())) {
                out.append("<td class=\"party\">").append(Escape.xml(name)).append("</td>");
            }
            for (NativeResult result : row) {
                out.append("<td class=\"cell ").append(result.green() ? "green" : "red");
                out.append("\"><a href=\"#n")
                        .append(section.results().indexOf(result))
                        .append("\" title=\"");
                out.append(Escape.xml(result.result().detail())).append("\">");
                out.append(result.result().outcome())
                        .append(result.green() ? "" : " !")
                        .append("</a></td>");
            }
            out.append("</tr>\n");
        }
        return out.append("</table></div>\n").toString();
    }

    /** {@return the panels that the cells of the table link to} */
    static String panels(NativeSection section) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < section.results().size(); i++) {
            NativeResult result = section.results().get(i);
            HtmlReport.panel(out, "n" + i, result.cell().toString(), result.result());
        }
        return out.toString();
    }

    static String markdown(NativeSection section) {
        StringBuilder out =
                new StringBuilder("\n## ").append(NativeSection.TITLE).append("\n\n");
        out.append(Escape.markdown(section.verdict())).append(".\n");
        if (!section.reason().isEmpty()) {
            return out.toString();
        }
        out.append("\n| row | app | header | library |");
        section.releases().forEach(release -> out.append(' ').append(release).append(" |"));
        out.append("\n|---|---|---|---|")
                .append("---|".repeat(section.releases().size()))
                .append('\n');
        for (List<NativeResult> row : section.rows()) {
            Cell cell = row.get(0).cell().cell();
            out.append("| ").append(cell.row()).append(" | ").append(cell.app().name());
            out.append(" | ").append(cell.header().name()).append(" | ");
            out.append(cell.library().name()).append(" |");
            for (NativeResult result : row) {
                out.append(' ')
                        .append(result.green() ? mark(result) : "**" + mark(result) + "**")
                        .append(" |");
            }
            out.append('\n');
        }
        out.append("\n| row | release | detail |\n|---|---|---|\n");
        for (NativeResult result : section.results()) {
            out.append("| ").append(result.cell().cell().row()).append(" | ");
            out.append(result.cell().release()).append(" | ");
            out.append(Escape.markdown(result.result().detail())).append(" |\n");
        }
        return out.toString();
    }

    static String json(NativeSection section) {
        String rows = section.results().stream()
                .map(result -> {
                    Cell cell = result.cell().cell();
                    return "{\"row\":" + cell.row()
                            + ",\"app\":" + Escape.json(cell.app().name())
                            + ",\"header\":" + Escape.json(cell.header().name())
                            + ",\"library\":" + Escape.json(cell.library().name())
                            + ",\"provider\":" + Escape.json(cell.provider().name())
                            + ",\"rdmaCore\":" + result.cell().release().number()
                            + ",\"expected\":"
                            + Escape.json(result.result().expected().outcome().name())
                            + ",\"outcome\":" + Escape.json(TextReports.outcome(result.result()))
                            + ",\"detail\":"
                            + Escape.json(result.result().detail()) + "}";
                })
                .collect(Collectors.joining(",\n", "[\n", "\n]"));
        return section.reason().isEmpty()
                ? "{\"rows\":" + rows + "}"
                : "{\"notRun\":" + Escape.json(section.reason()) + "}";
    }

    /**
     * Writes a separate suite. If nothing was run, it has one test: skipped, or failed if the part was explicitly
     * requested.
     */
    static String junit(NativeSection section, boolean missing) {
        boolean skipped = !section.reason().isEmpty();
        StringBuilder out = new StringBuilder("<testsuite name=\"").append(Escape.xml(NativeSection.TITLE));
        out.append("\" tests=\"").append(skipped ? 1 : section.results().size());
        out.append("\" failures=\"").append(section.red().size() + (missing ? 1 : 0));
        out.append("\" errors=\"0\" skipped=\"")
                .append(skipped && !missing ? 1 : 0)
                .append("\">\n");
        if (skipped) {
            out.append("  <testcase classname=\"matrix.native\" name=\"all\"><");
            out.append(missing ? "failure" : "skipped").append(" message=\"");
            out.append(Escape.xml(section.reason())).append("\"/></testcase>\n");
        }
        for (NativeResult result : section.results()) {
            TextReports.testcase(
                    out,
                    "matrix.native.row" + result.cell().cell().row(),
                    result.cell().toString(),
                    result.result(),
                    result.result().command());
        }
        return out.append("</testsuite>\n").toString();
    }
}
