/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SvgPlotTest {
    private static final List<Figure> FIGURES = List.of(figure("a-vs-c"), figure("b-vs-c"), figure("c-vs-c"));

    private static Figure figure(String what) {
        return new Figure("name", new Metric(what, Unit.NANOSECONDS), List.of(1.0), List.of(2.0));
    }

    @Test
    void chosenCasesAreDrawnInGivenOrder() {
        String svg = SvgPlot.of(FIGURES, List.of("c-vs-c", "a-vs-c"));

        assertThat(svg).containsSubsequence("name c-vs-c", "name a-vs-c").doesNotContain("b-vs-c");
    }

    @Test
    void allCasesAreDrawnByDefault() {
        assertThat(SvgPlot.of(FIGURES, List.of())).containsSubsequence("a-vs-c", "b-vs-c", "c-vs-c");
    }

    @Test
    void unknownCaseFailsAndListsKnownCases() {
        assertThatThrownBy(() -> SvgPlot.of(FIGURES, List.of("a-vs-c", "d-vs-c")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no case 'd-vs-c'; the cases are: a-vs-c, b-vs-c, c-vs-c");
    }
}
