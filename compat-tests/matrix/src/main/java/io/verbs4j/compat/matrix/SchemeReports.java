/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The part on other schemes, in each format of the report except JUnit, because they are not under test. */
final class SchemeReports {
    private SchemeReports() {}

    private static String mark(SchemeResult result) {
        return !result.held() ? "lost" : SchemeResult.mustNotCompile(result.row()) ? "N" : "Y";
    }

    private static String version(int version) {
        return version == 1 ? "old" : "new";
    }

    private static List<String> parties(int row) {
        return List.of(
                version(SchemeResult.program(row)),
                version(SchemeResult.header(row)),
                version(SchemeResult.library(row)));
    }

    private static String why(SchemeResult result) {
        return (result.held() ? "" : result.lost() + ": ") + result.happened();
    }

    /** {@return the table for the terminal} */
    static String table(SchemeSection section) {
        StringBuilder out = new StringBuilder(SchemeSection.TITLE).append('\n');
        if (section.reason().isEmpty()) {
            out.append(String.format("%n  %3s  %-8s %-8s %-8s", "row", "app", "header", "library"));
            for (Scheme scheme : Scheme.values()) {
                out.append(String.format(" %18s", scheme.title()));
            }
            out.append('\n').append(String.format("  %3s  %-8s %-8s %-8s", "", "", "", "provider"));
            out.append(String.format(" %10s %7s", "old", "new").repeat(Scheme.values().length))
                    .append('\n');
            IntStream.rangeClosed(1, 8).forEach(row -> {
                out.append(String.format(
                        "  %3d  %-8s %-8s %-8s",
                        row,
                        parties(row).get(0),
                        parties(row).get(1),
                        parties(row).get(2)));
                List<SchemeResult> results = section.row(row);
                for (int i = 0; i < results.size(); i += 2) {
                    out.append(String.format(" %10s %7s", mark(results.get(i)), mark(results.get(i + 1))));
                }
                out.append('\n');
            });
            out.append('\n');
        }
        section.verdicts().forEach(verdict -> out.append(verdict).append('\n'));
        return out.toString();
    }

    /** {@return the table of the page} */
    static String html(SchemeSection section) {
        StringBuilder out =
                new StringBuilder("<h2>").append(SchemeSection.TITLE).append("</h2>\n<ul class=\"legend\">\n");
        section.verdicts()
                .forEach(verdict ->
                        out.append("<li>").append(Escape.xml(verdict)).append("</li>\n"));
        out.append("</ul>\n");
        if (!section.reason().isEmpty()) {
            return out.toString();
        }
        out.append("<div class=\"scroll\"><table>\n<tr><th>row</th><th>app</th><th>header</th><th>library</th>");
        for (Scheme scheme : Scheme.values()) {
            for (int provider = 1; provider <= 2; provider++) {
                out.append("<th>")
                        .append(scheme.title())
                        .append("<br/>")
                        .append(version(provider))
                        .append(" provider</th>");
            }
        }
        out.append("</tr>\n");
        IntStream.rangeClosed(1, 8).forEach(row -> {
            out.append("<tr><th>").append(row).append("</th>");
            parties(row)
                    .forEach(party ->
                            out.append("<td class=\"party\">").append(party).append("</td>"));
            for (SchemeResult result : section.row(row)) {
                out.append("<td class=\"cell ")
                        .append(colour(result))
                        .append("\"><a href=\"#")
                        .append(id(result));
                out.append("\" title=\"")
                        .append(Escape.xml(why(result)))
                        .append("\">")
                        .append(mark(result))
                        .append("</a></td>");
            }
            out.append("</tr>\n");
        });
        return out.append("</table></div>\n").toString();
    }

    /** {@return what a click on a cell opens} */
    static String panels(SchemeSection section) {
        StringBuilder out = new StringBuilder();
        for (SchemeResult result : section.results()) {
            String title =
                    result.scheme().title() + ", row " + result.row() + ", " + version(result.provider()) + " provider";
            HtmlReport.panel(
                    out, id(result), colour(result), title, List.of(why(result)), result.command(), result.output());
        }
        return out.toString();
    }

    private static String id(SchemeResult result) {
        return result.scheme().folder() + result.row() + "-" + result.provider();
    }

    private static String colour(SchemeResult result) {
        return result.held() ? "green" : "red";
    }

    static String markdown(SchemeSection section) {
        StringBuilder out = new StringBuilder("\n## " + SchemeSection.TITLE + "\n\n");
        section.verdicts()
                .forEach(verdict ->
                        out.append("- ").append(Escape.markdown(verdict)).append('\n'));
        if (!section.reason().isEmpty()) {
            return out.toString();
        }
        out.append("\n| row | app | header | library |");
        for (Scheme scheme : Scheme.values()) {
            out.append(' ').append(scheme.title()).append(", old provider | new provider |");
        }
        out.append("\n|---|---|---|---|")
                .append("---|".repeat(2 * Scheme.values().length))
                .append('\n');
        IntStream.rangeClosed(1, 8).forEach(row -> {
            out.append("| ")
                    .append(row)
                    .append(" | ")
                    .append(String.join(" | ", parties(row)))
                    .append(" |");
            section.row(row)
                    .forEach(result -> out.append(' ')
                            .append(result.held() ? mark(result) : "**lost**: " + Escape.markdown(why(result)))
                            .append(" |"));
            out.append('\n');
        });
        return out.toString();
    }

    static String json(SchemeSection section) {
        if (!section.reason().isEmpty()) {
            return "{\"notRun\":" + Escape.json(section.reason()) + "}";
        }
        return section.results().stream()
                .map(result -> "{\"scheme\":" + Escape.json(result.scheme().title())
                        + ",\"row\":" + result.row()
                        + ",\"provider\":" + Escape.json(version(result.provider()))
                        + ",\"held\":" + result.held()
                        + ",\"lost\":" + Escape.json(result.lost())
                        + ",\"happened\":" + Escape.json(result.happened()) + "}")
                .collect(Collectors.joining(",\n", "{\"rows\":[\n", "\n]}"));
    }
}
