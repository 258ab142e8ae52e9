/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundsTest {
    private static final Metric RATE = new Metric("thing", Unit.MEGABYTES_PER_SECOND);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream discarded = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    private final Rounds rounds = new Rounds(
            "name",
            3,
            0.1,
            false,
            Pattern.compile("^(?!left out)"),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            discarded);

    /** A side that needs no warm-up, returns given values in turn, and records its calls. */
    private record Scripted(String name, List<String> calls, List<Double> values) implements Side {
        @Override
        public boolean needsWarmUp() {
            return false;
        }

        @Override
        public double[] measure(double seconds) {
            calls.add(name);
            return new double[] {
                values.get((int) calls.stream().filter(name::equals).count() - 1)
            };
        }
    }

    @Test
    void resultIsMedianOfRatiosNotRatioOfMedians() throws Exception {
        List<String> calls = new ArrayList<>();
        rounds.compare(
                new Scripted("a", calls, List.of(1.0, 20.0, 6.0)),
                new Scripted("b", calls, List.of(10.0, 10.0, 1.0)),
                RATE);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("name thing ratio 2.00 (ours 6.00, theirs 10.0, MB/s)" + System.lineSeparator());
    }

    @Test
    void sidesAlternateInGoingFirst() throws Exception {
        List<String> calls = new ArrayList<>();
        rounds.compare(
                new Scripted("a", calls, List.of(1.0, 1.0, 1.0)),
                new Scripted("b", calls, List.of(1.0, 1.0, 1.0)),
                RATE);
        assertThat(calls).containsExactly("a", "b", "b", "a", "a", "b");
    }

    @Test
    void excludedMetricIsNotMeasured() throws Exception {
        List<String> calls = new ArrayList<>();
        Side side = new Scripted("a", calls, List.of());
        rounds.compare(side, side, new Metric("left out", Unit.NANOSECONDS), RATE);
        assertThat(calls).isEmpty();
        assertThat(rounds.figures()).isEmpty();
        assertThat(rounds.measures("left out")).isFalse();
        assertThat(rounds.measures("thing")).isTrue();
    }

    @Test
    void warmSideRunsExtraRoundsOnceOnly() throws Exception {
        List<String> calls = new ArrayList<>();
        Side side = new WarmSide(new Scripted("a", calls, List.of(1.0, 2.0, 3.0, 4.0)), 2);

        assertThat(side.needsWarmUp()).isFalse();
        assertThat(side.measure(0.1)).containsExactly(3);
        assertThat(side.measure(0.1)).containsExactly(4);
    }

    @Test
    void failingSideEndsComparison() {
        Side fails = seconds -> {
            throw new IllegalStateException("wrong data");
        };
        assertThatThrownBy(() -> rounds.compare(s -> new double[] {1}, fails, RATE))
                .hasMessage("wrong data");
        assertThat(rounds.figures()).isEmpty();
    }

    @Test
    void zeroGarbageCountsAsOneByteInRatios() {
        Metric garbage = new Metric("garbage", Unit.BYTES_PER_OPERATION);
        assertThat(new Figure("name", garbage, List.of(0.3), List.of(0.0)).ratio())
                .isEqualTo(1);
        assertThat(new Figure("name", garbage, List.of(16.0), List.of(0.0)).ratio())
                .isEqualTo(16);
    }

    @Test
    void jsonHasAllRounds() {
        Figure figure = new Figure("name", RATE, List.of(1.0, 2.0), List.of(4.0, 0.0));
        assertThat(JsonReport.of(Map.of("cpu", "a \"fast\" one"), List.of(figure)))
                .contains("\"cpu\": \"a \\\"fast\\\" one\"")
                .contains("\"ours\": [1.0, 2.0], \"theirs\": [4.0, 0.0]")
                .contains("\"least\": 0.25, \"most\": null, \"difference\": -0.5");
    }

    private static Figure time(String what, double ours, double theirs) {
        return new Figure("name", new Metric(what, Unit.NANOSECONDS), List.of(ours), List.of(theirs));
    }

    @Test
    void tableHasRowForEachCaseAndColumnForEachRival() {
        Figure garbage =
                new Figure("name", new Metric("b-garbage", Unit.BYTES_PER_OPERATION), List.of(24.0), List.of(0.0));
        assertThat(MarkdownTable.of(
                        Map.of("cpu", "one"),
                        List.of(time("a-vs-c", 10, 20), time("a-vs-jni", 10, 5), time("b-vs-c", 3, 3), garbage)))
                .isEqualTo("""
                        | `name` | ours | to `c` | to `jni` |
                        | --- | ---: | ---: | ---: |
                        | a | 10.0 ns | 0.500 (0.500 to 0.500), 20.0 | 2.00 (2.00 to 2.00), 5.00 |
                        | b | 3.00 ns | 1.00 (1.00 to 1.00), 3.00 | – |

                        Garbage of ours, for each operation: b-garbage 24.0 B.

                        Machine: one.
                        """);
    }

    @Test
    void tableWithOneRivalHasDifference() {
        assertThat(MarkdownTable.of(Map.of(), List.of(time("a-vs-ring", 12, 10.5))))
                .contains("| `name` | ours | to `ring` | difference |\n")
                .contains("| a | 12.0 ns | 1.14 (1.14 to 1.14), 10.5 | 1.50 ns |\n");
    }

    @Test
    void tableReplacesOnlyMarkedLinesOfDocument(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("doc.md");
        MarkdownTable.write(file, "new\n");
        assertThat(file).hasContent("new\n");
        assertThatThrownBy(() -> MarkdownTable.write(file, "newer\n")).hasMessageContaining("<!-- figures -->");
        assertThat(file).hasContent("new\n");
        Files.writeString(file, "before\n<!-- figures -->\nold\n<!-- /figures -->\nbehind\n");
        MarkdownTable.write(file, "new\n");
        assertThat(file).hasContent("before\n<!-- figures -->\n\nnew\n\n<!-- /figures -->\nbehind\n");
    }

    @Test
    void plotOmitsZeroGarbage() {
        Figure none = new Figure("name", new Metric("x-garbage", Unit.BYTES_PER_OPERATION), List.of(0.0), List.of(0.0));
        Figure some = new Figure("name", new Metric("y-garbage", Unit.BYTES_PER_OPERATION), List.of(0.0), List.of(9.0));
        assertThat(SvgPlot.of(List.of(none, some, time("a-vs-c", 1, 2))))
                .contains("y-garbage", "a-vs-c")
                .doesNotContain("x-garbage");
    }

    @Test
    void wrongByteIsFound() {
        ByteBuffer sent = Contents.allocate(100);
        ByteBuffer received = Contents.allocate(100);
        Contents.fill(sent, 1);
        Contents.fill(received, 1);
        Contents.check(received, sent);
        received.put(77, (byte) (received.get(77) + 1));
        assertThatThrownBy(() -> Contents.check(received, sent)).hasMessageContaining("byte 77");
    }
}
