/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OptionsTest {
    @Test
    void plotCasesAccumulate() throws Exception {
        Options options =
                Options.parse("--from", "a.json", "--plot", "a.svg", "--plot-cases", "x-vs-y,z", "--plot-cases", "a");

        assertThat(options.from()).isEqualTo(Path.of("a.json"));
        assertThat(options.plotCases()).containsExactly("x-vs-y", "z", "a");
        assertThat(options.names()).isEmpty();
    }

    @Test
    void fromRefusesComparisons() {
        assertThatThrownBy(() -> Options.parse("rxe-local", "--from", "a.json"))
                .isInstanceOf(Options.UsageException.class)
                .hasMessageContaining("leave out rxe-local");
    }

    @Test
    void plotCasesNeedPlot() {
        assertThatThrownBy(() -> Options.parse("rxe-local", "--plot-cases", "x"))
                .isInstanceOf(Options.UsageException.class)
                .hasMessageContaining("--plot-cases needs --plot");
    }
}
