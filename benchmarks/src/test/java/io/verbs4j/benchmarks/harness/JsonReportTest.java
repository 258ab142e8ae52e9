/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReportTest {
    @ParameterizedTest
    @EnumSource
    void writtenReportReadsBackEqual(Unit unit) {
        Map<String, String> machine = Map.of("cpu", "a \"quoted\" \\ name");
        List<Figure> figures = List.of(
                new Figure("one", new Metric("a-vs-b", unit), List.of(1.25, 1e-9, 3.0), List.of(2.0, 1e12, 0.0)),
                new Figure("two", new Metric("c", unit), List.of(Double.NaN), List.of(1.0)));

        assertThat(JsonReport.read(JsonReport.of(machine, figures))).isEqualTo(new JsonReport(machine, figures));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "[1, 2]",
                "{\"machine\": {}, \"figures\": [{}]}",
                "{\"machine\": {}, \"figures\": [{\"comparison\": \"x\"}]}",
                "{\"machine\": {}, \"figures\": [1]}",
                "{\"machine\": {}, \"figures\": []} more",
                "{\"machine\": {}, \"figures\": [],}",
                "{\"machine\": {} \"figures\": []}",
                "{\"machine\": {\"a\": \"\\q\"}, \"figures\": []}",
                "{\"machine\": {\"a",
                "{\"machine\": nothing"
            })
    void malformedTextFails(String text) {
        assertThatThrownBy(() -> JsonReport.read(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void unknownUnitIsNamed() {
        String json = JsonReport.of(
                        Map.of(),
                        List.of(new Figure("x", new Metric("y", Unit.NANOSECONDS), List.of(1.0), List.of(1.0))))
                .replace("ns,", "furlongs,");

        assertThatThrownBy(() -> JsonReport.read(json)).hasMessageContaining("furlongs");
    }
}
