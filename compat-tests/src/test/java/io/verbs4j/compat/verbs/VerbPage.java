/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Generates {@code docs/reference/verbs.md} from {@code verbs.tsv}. It needs only the JDK, so {@link #COMMAND} runs it
 * without a build.
 */
public final class VerbPage {
    static final Path DATA = Path.of("compat-tests/src/test/resources/io/verbs4j/compat/verbs");
    static final Path PAGE = Path.of("docs/reference/verbs.md");
    static final String COMMAND = "java compat-tests/src/test/java/io/verbs4j/compat/verbs/VerbPage.java";
    static final String NONE = "-";
    static final String ABSENT = "not there";

    /** The levels, in counting order. */
    static final List<String> LEVELS = List.of("1", "2", "3", "4", "vendor", "cm", ABSENT);

    private static final List<Library> LIBRARIES = List.of(
            new Library("libibverbs", "By subject: [From C to Java](../start/from-c.md)."),
            new Library("libmlx5", "By subject: [mlx5dv](../guides/mlx5dv.md), [DevX](../guides/devx.md)."),
            new Library("libefa", "More: [EFA](efa.md)."),
            new Library(
                    "libhbl", "More: [Gaudi](gaudi.md). rdma-core 65 has no libhbl: the functions are the vendor's."),
            new Library("librdmacm", "By subject: [Connections](../guides/cm.md)."));

    private static final String HEAD = """
            # Verbs, one by one

            Each public function of the libraries of rdma-core 65, and what does the same in Java. Inline functions of
            the headers are among them.

            - **Level**: 1, 2, 3 or 4 is the [level of the API](compatibility.md#levels) that brought the \
            method. *vendor* is
              in the package of a vendor (`mlx5dv`, `efadv`, `hbldv`), or takes attributes of it. *cm* is in
              `verbs-cm`. For what is not there the last column says why.
            - **Rigs** on which tests call the method: **E** the embedded device, **S** simulated devices under the
              libraries of rdma-core, **K** the kernel's rdma_rxe in a guest. None of them is hardware. A letter does
              not say how much of the method they show.

            """;

    private static final String FOOT = """

            This page is made of
            [`verbs.tsv`](../../%s/verbs.tsv) by
            `%s`.
            A test compares the two, and looks whether the methods exist and the rigs' tests call them.
            """;

    private record Library(String name, String more) {}

    /** A row of the data. */
    record Row(String library, List<String> functions, List<String> java, String level, String rigs, String remark) {
        static Row of(String line) {
            String[] cells = line.split("\t", -1);
            if (cells.length != 6) {
                throw new IllegalArgumentException("expected 6 tab-separated cells: " + line);
            }
            String functions = cells[1].startsWith("= ") ? cells[1].substring(2) : cells[1];
            return new Row(cells[0], words(functions), words(cells[2]), cells[3], cells[4], cells[5]);
        }

        private static List<String> words(String cell) {
            return NONE.equals(cell) ? List.of() : List.of(cell.split(" "));
        }

        private static String code(List<String> words) {
            return words.stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
        }

        private static String cell(String text) {
            return NONE.equals(text) ? "" : text;
        }

        String markdown() {
            return "| " + String.join(" | ", code(functions), code(java), level, cell(rigs), cell(remark)) + " |\n";
        }
    }

    private VerbPage() {}

    /** {@return the rows of the project in this folder} */
    static List<Row> rows(Path project) throws IOException {
        return Files.readAllLines(project.resolve(DATA).resolve("verbs.tsv")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(Row::of)
                .toList();
    }

    private static long count(List<Row> rows, String library, String level) {
        return rows.stream()
                .filter(row -> row.library.equals(library) && row.level.equals(level))
                .mapToInt(row -> row.functions.size())
                .sum();
    }

    private static String line(String... cells) {
        return Arrays.stream(cells).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String counts(List<Row> rows) {
        StringBuilder table = new StringBuilder("| functions | " + String.join(" | ", LEVELS) + " | all |\n|---|"
                + "---:|".repeat(LEVELS.size() + 1) + "\n");
        for (Library library : LIBRARIES) {
            List<Long> each = LEVELS.stream()
                    .map(level -> count(rows, library.name, level))
                    .toList();
            long all = each.stream().mapToLong(Long::longValue).sum();
            table.append("| [" + library.name + "](#" + library.name + ") | "
                    + each.stream().map(n -> n == 0 ? "" : "" + n).collect(Collectors.joining(" | ")) + " | " + all
                    + " |\n");
        }
        return table.toString();
    }

    /** {@return the page} */
    static String render(List<Row> rows) {
        StringBuilder page = new StringBuilder(HEAD).append(counts(rows));
        for (Library library : LIBRARIES) {
            page.append("\n## " + library.name + "\n\n" + library.more + "\n\n")
                    .append(line("in C", "here", "level", "rigs", ""))
                    .append("|---|---|---|---|---|\n");
            rows.stream().filter(row -> row.library.equals(library.name)).forEach(row -> page.append(row.markdown()));
        }
        return page.append(FOOT.formatted(DATA, COMMAND)).toString();
    }

    /**
     * Writes the page of the project in the current folder.
     *
     * @param args none
     * @throws IOException if the data cannot be read or the page cannot be written
     */
    public static void main(String[] args) throws IOException {
        Files.createDirectories(PAGE.getParent());
        Files.writeString(PAGE, render(rows(Path.of(""))));
    }
}
