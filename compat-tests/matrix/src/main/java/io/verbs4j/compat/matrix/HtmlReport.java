/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A self-contained page: a click on a cell opens its command and output, by the address alone, without scripts. */
final class HtmlReport {
    private HtmlReport() {}

    private static final int TITLE = 200;

    static String of(List<CellResult> results, NativeSection section, SchemeSection schemes, RunRecord run) {
        StringBuilder out =
                new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
        out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
        out.append("<title>Compatibility matrix</title>\n<style>\n")
                .append(style())
                .append("</style>\n</head>\n");
        out.append("<body id=\"top\">\n<h1>Compatibility matrix</h1>\n<p class=\"verdict ");
        out.append(TextReports.red(results).isEmpty() && section.red().isEmpty() ? "green" : "red")
                .append("\">");
        out.append(TextReports.verdict(results)).append("</p>\n");
        run(out, run);
        for (Grid grid : Grid.of(results)) {
            grid(out, grid, results);
        }
        out.append(NativeReports.html(section));
        out.append(SchemeReports.html(schemes));
        legend(out);
        for (int i = 0; i < results.size(); i++) {
            CellResult result = results.get(i);
            panel(out, "c" + i, result, run);
        }
        out.append(NativeReports.panels(section));
        out.append(SchemeReports.panels(schemes));
        return out.append("</body>\n</html>\n").toString();
    }

    /** Writes the command and the commit; the checksums are in the JSON. */
    private static void run(StringBuilder out, RunRecord run) {
        out.append("<p class=\"run\"><code>").append(Escape.xml(run.command())).append("</code>");
        out.append(run.commit().isEmpty() ? "" : ", commit " + Escape.xml(run.commit()))
                .append("</p>\n");
    }

    private static void grid(StringBuilder out, Grid grid, List<CellResult> results) {
        out.append("<h2>").append(grid.title()).append("</h2>\n<div class=\"scroll\"><table>\n<tr><th>row</th>");
        out.append("<th>app</th><th>header</th><th>library</th>");
        grid.columns().forEach(column -> {
            String words = Escape.xml(column).replace(", ", "<br/>");
            out.append("<th>").append(words).append("</th>");
        });
        out.append("</tr>\n");
        for (Grid.Line line : grid.lines()) {
            Cell cell = line.first().cell();
            out.append("<tr><th>").append(line.row()).append("</th>");
            for (String name : List.of(
                    cell.app().name(), cell.header().name(), cell.library().name())) {
                out.append("<td class=\"party\">").append(Escape.xml(name)).append("</td>");
            }
            for (CellResult result : line.cells()) {
                if (result == null) {
                    out.append("<td></td>");
                } else {
                    out.append("<td class=\"cell ").append(colour(result));
                    out.append("\"><a href=\"#c")
                            .append(results.indexOf(result))
                            .append("\" title=\"");
                    out.append(Escape.xml(shortly(result.detail())))
                            .append("\">")
                            .append(result.outcome());
                    out.append(result.skipped().isEmpty() ? "" : "*").append(result.green() ? "" : " !");
                    out.append("</a></td>");
                }
            }
            out.append("</tr>\n");
        }
        out.append("</table></div>\n");
    }

    private static void legend(StringBuilder out) {
        out.append("<ul class=\"legend\">\n");
        out.append("<li><b>Y</b> starts, and the old verbs work; each new verb works, falls back, or fails with ENOSYS")
                .append(" (the library is too old) or EOPNOTSUPP (the provider is too old)</li>\n");
        out.append("<li><b>N</b> does not compile: the header lacks the new symbols</li>\n");
        out.append("<li><b>EPROTO</b> the header at run time is too old, and opening the device reports it</li>\n");
        out.append("<li><b>ASIDE</b> the provider needs a newer header or library, and is set aside for that reason")
                .append("</li>\n<li><b>*</b> the provider lacks some verbs of its level: see the cell</li>\n</ul>\n");
    }

    private static String shortly(String text) {
        return text.length() <= TITLE ? text : text.substring(0, TITLE) + " ...";
    }

    /**
     * Writes what a click on a cell opens. Beyond the eight rows, the output of expected results is only in the JSON.
     */
    private static void panel(StringBuilder out, String id, CellResult result, RunRecord run) {
        Cell cell = result.cell();
        String outcomes = "Expected " + result.expected().outcome() + ", got " + result.outcome() + ".";
        boolean whole = !result.green() || cell.row() < Plan.GENERAL;
        String gone = run.kept() ? "" : "\n\nWhat ran, in a folder that was deleted (--keep keeps it):\n";
        panel(
                out,
                id,
                colour(result),
                cell.toString(),
                List.of(outcomes, result.detail()),
                run.again(cell) + (whole ? gone + (run.kept() ? "\n" : "") + result.command() : ""),
                whole ? result.excerpt() : "as expected; --json has each step");
    }

    /** Writes a panel for a result whose command can be run as it is. */
    static void panel(StringBuilder out, String id, String title, CellResult result) {
        String outcomes = "Expected " + result.expected().outcome() + ", got " + result.outcome() + ".";
        panel(out, id, colour(result), title, List.of(outcomes, result.detail()), result.command(), result.excerpt());
    }

    /** Writes a panel from texts. */
    static void panel(
            StringBuilder out,
            String id,
            String colour,
            String title,
            List<String> paragraphs,
            String command,
            String output) {
        out.append("<section id=\"").append(id).append("\" class=\"panel ");
        out.append(colour).append("\">\n<a class=\"close\" href=\"#top\">close</a>\n<h3>");
        out.append(Escape.xml(title)).append("</h3>\n");
        paragraphs.forEach(words -> out.append("<p>").append(Escape.xml(words)).append("</p>\n"));
        out.append("<h4>Command</h4>\n<pre>").append(Escape.xml(command));
        out.append("</pre>\n<h4>Output</h4>\n<pre>").append(Escape.xml(output)).append("</pre>\n</section>\n");
    }

    private static String colour(CellResult result) {
        return !result.green() ? "red" : result.outcome() == Outcome.UNSHOWN ? "unshown" : "green";
    }

    private static String style() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
