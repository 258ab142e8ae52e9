/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static final Metric RATE = new Metric("thing", Unit.MEGABYTES_PER_SECOND);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream discarded = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    private final Rounds rounds =
            new Rounds("name", 3, 0.1, false, new PrintStream(out, true, StandardCharsets.UTF_8), discarded);

    /** Not warmed up; answers given values in turn, and notes that it was asked. */
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
    void printsTheMedianOfTheRatiosNotTheRatioOfTheMedians() throws Exception {
        List<String> calls = new ArrayList<>();
        rounds.compare(
                new Scripted("a", calls, List.of(1.0, 20.0, 6.0)),
                new Scripted("b", calls, List.of(10.0, 10.0, 1.0)),
                RATE);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("name thing ratio 2.00 (ours 6.00, theirs 10.0, MB/s)" + System.lineSeparator());
    }

    @Test
    void sidesTakeTurnsAtGoingFirst() throws Exception {
        List<String> calls = new ArrayList<>();
        rounds.compare(
                new Scripted("a", calls, List.of(1.0, 1.0, 1.0)),
                new Scripted("b", calls, List.of(1.0, 1.0, 1.0)),
                RATE);
        assertThat(calls).containsExactly("a", "b", "b", "a", "a", "b");
    }

    @Test
    void sideThatFailsEndsTheComparison() {
        Side fails = seconds -> {
            throw new IllegalStateException("wrong data");
        };
        assertThatThrownBy(() -> rounds.compare(s -> new double[] {1}, fails, RATE))
                .hasMessage("wrong data");
        assertThat(rounds.figures()).isEmpty();
    }

    @Test
    void noGarbageOnBothSidesIsEqualAndOnOneCountsAsAByte() {
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
                .contains("\"least\": 0.25, \"most\": null");
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
