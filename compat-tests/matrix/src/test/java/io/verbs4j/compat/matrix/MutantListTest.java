/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The list of mutants matches the sources; {@link MutantListIT} runs it. */
class MutantListTest {
    @Test
    void matrixFindsMostOfManyMutants() {
        assertThat(Mutant.all())
                .hasSizeGreaterThanOrEqualTo(40)
                .hasSize(Mutant.text().split("(?m)^# ", -1).length - 1)
                .extracting(Mutant::name)
                .doesNotHaveDuplicates();
        assertThat(Mutant.all().stream().filter(mutant -> mutant.by() != Mutant.Seer.GATE))
                .hasSizeGreaterThanOrEqualTo(30);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.verbs4j.compat.matrix.Mutant#all")
    void sourceOfMutantExists(Mutant mutant) {
        assertThat(mutant.from()).isNotEqualTo(mutant.to());
        mutant.sources();
    }
}
