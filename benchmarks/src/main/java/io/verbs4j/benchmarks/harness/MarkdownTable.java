/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures as Markdown tables, one for each comparison. Metrics called {@code THING-vs-OTHER} form a row for each
 * thing, with a column for each other. Garbage is reported in a sentence.
 */
public final class MarkdownTable {
    private static final String BEGIN = "<!-- figures -->\n";
    private static final String END = "<!-- /figures -->\n";
    private static final String VERSUS = "-vs-";
    private static final String NONE = "–";

    private MarkdownTable() {}

    /** Returns the tables. */
    public static String of(Map<String, String> machine, List<Figure> figures) {
        Map<String, List<Figure>> byComparison = figures.stream()
                .collect(Collectors.groupingBy(Figure::comparison, LinkedHashMap::new, Collectors.toList()));
        String tables = byComparison.entrySet().stream()
                .map(e -> table(e.getKey(), e.getValue()))
                .collect(Collectors.joining("\n"));
        return tables + "\nMachine: " + String.join("; ", machine.values()) + ".\n";
    }

    /**
     * Writes tables into an existing document, between the lines {@code <!-- figures -->} and {@code <!-- /figures
     * -->}, or into a new file.
     *
     * @throws IOException if the file cannot be written, or exists without these lines
     */
    public static void write(Path file, String tables) throws IOException {
        if (!Files.exists(file)) {
            Files.writeString(file, tables);
            return;
        }
        String text = Files.readString(file);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException("no lines " + BEGIN.strip() + " and " + END.strip() + " in " + file);
        }
        Files.writeString(file, text.substring(0, begin + BEGIN.length()) + "\n" + tables + "\n" + text.substring(end));
    }

    private static String table(String comparison, List<Figure> figures) {
        List<Figure> shown = figures.stream()
                .filter(f -> f.metric().unit() != Unit.BYTES_PER_OPERATION)
                .toList();
        List<String> others =
                shown.stream().map(MarkdownTable::other).distinct().toList();
        Map<String, Map<String, Figure>> rows = new LinkedHashMap<>();
        for (Figure f : shown) {
            rows.computeIfAbsent(thing(f), t -> new LinkedHashMap<>()).put(other(f), f);
        }
        boolean difference = others.size() == 1;
        StringBuilder text = new StringBuilder();
        List<String> head = new ArrayList<>(List.of("`" + comparison + "`", "ours"));
        others.forEach(other -> head.add(other.isEmpty() ? "ratio, theirs" : "to `" + other + "`"));
        if (difference) {
            head.add("difference");
        }
        text.append(line(head.stream()))
                .append(line(
                        Stream.concat(Stream.of("---"), head.stream().skip(1).map(h -> "---:"))));
        rows.forEach((thing, row) -> {
            Figure any = row.values().iterator().next();
            List<String> cells = new ArrayList<>(List.of(
                    thing,
                    Figure.text(Figure.median(any.ours())) + " "
                            + any.metric().unit().symbol()));
            others.forEach(other -> cells.add(row.containsKey(other) ? cell(row.get(other)) : NONE));
            if (difference) {
                cells.add(Figure.text(any.difference()) + " "
                        + any.metric().unit().symbol());
            }
            text.append(line(cells.stream()));
        });
        return text + garbage(figures);
    }

    private static String line(Stream<String> cells) {
        return cells.collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String cell(Figure f) {
        return Figure.text(f.ratio()) + " (" + Figure.text(f.least()) + " to " + Figure.text(f.most()) + "), "
                + Figure.text(Figure.median(f.theirs()));
    }

    private static String thing(Figure f) {
        String what = f.metric().what();
        int at = what.indexOf(VERSUS);
        return at < 0 ? what : what.substring(0, at);
    }

    private static String other(Figure f) {
        String what = f.metric().what();
        int at = what.indexOf(VERSUS);
        return at < 0 ? "" : what.substring(at + VERSUS.length());
    }

    private static String garbage(List<Figure> figures) {
        List<Figure> measured = figures.stream()
                .filter(f -> f.metric().unit() == Unit.BYTES_PER_OPERATION)
                .toList();
        if (measured.isEmpty()) {
            return "";
        }
        String some = measured.stream()
                .filter(f -> Figure.median(f.ours()) >= Unit.BYTES_PER_OPERATION.nothing())
                .map(f -> f.metric().what() + " " + Figure.text(Figure.median(f.ours())) + " B")
                .collect(Collectors.joining(", "));
        return "\nGarbage of ours, for each operation: " + (some.isEmpty() ? "0 bytes, everywhere" : some) + ".\n";
    }
}
