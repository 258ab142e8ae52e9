/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.matrix.Expectation.Result;
import java.nio.file.Path;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules that predict the outcome of a combination. */
class ExpectationTest {
    @ParameterizedTest
    @CsvSource({
        // app, header, library, provider, run-time header
        "1, 1, 1, 1, 1, Y",
        "1, 1, 2, 1, 2, Y",
        "1, 2, 1, 1, 2, Y",
        "1, 2, 2, 2, 2, Y",
        "2, 1, 1, 1, 1, N",
        "2, 1, 2, 2, 2, N",
        "2, 2, 1, 1, 2, Y",
        "2, 2, 2, 2, 2, Y",
        // a header older than the library, the program, the provider
        "1, 1, 2, 1, 1, EPROTO",
        "1, 2, 1, 1, 1, EPROTO",
        "1, 1, 1, 2, 1, EPROTO",
        "2, 2, 2, 2, 1, EPROTO",
        // future levels
        "2, 3, 1, 1, 3, Y",
        "3, 2, 3, 3, 3, N",
        "2, 2, 3, 1, 2, EPROTO",
        "1, 1, 3, 3, 2, EPROTO"
    })
    void outcomeFollowsFromLevels(int app, int header, int library, int provider, int loaded, Outcome outcome) {
        assertThat(Expectation.of(Samples.cell(app, header, library, provider, loaded))
                        .outcome())
                .isEqualTo(outcome);
    }

    @Test
    void providerNeedingNewerLibraryIsSetAside() {
        Subject demanding = new Subject("p", Path.of("p"), 2, 2, true);
        Expectation expected = Expectation.of(Samples.cell(1, 2, 1, demanding, 2));
        assertThat(expected.outcome()).isEqualTo(Outcome.ASIDE);
        assertThat(expected.words()).containsExactly("library too old");
        assertThat(Expectation.of(Samples.cell(1, 2, 2, demanding, 2)).outcome())
                .isEqualTo(Outcome.Y);
    }

    @Test
    void oldLibraryLacksNewVerbs() {
        assertThat(Expectation.of(Samples.cell(2, 2, 1, 2, 2)).steps())
                .containsEntry("new falls", new Result("works", "fall-back"))
                .containsEntry("new always", new Result("works", ""))
                .containsEntry("new missing", new Result("ENOSYS", "the library is too old"))
                .containsEntry("new dependent", new Result("unreached", ""))
                .containsEntry("new past", new Result("EOPNOTSUPP", "past"))
                .containsEntry("mask bit", new Result("ENOSYS", "the library is too old"));
    }

    @Test
    void oldProviderRefusesNewVerbs() {
        assertThat(Expectation.of(Samples.cell(2, 2, 2, 1, 2)).steps())
                .containsEntry("new falls", new Result("works", "fall-back"))
                .containsEntry("new missing", new Result("EOPNOTSUPP", "the device can't"))
                .containsEntry("new past", new Result("EOPNOTSUPP", "past"))
                .containsEntry("mask bit", new Result("EOPNOTSUPP", "the device can't"));
    }

    @Test
    void newPartiesRefuseOnlyUnknownBits() {
        assertThat(Expectation.of(Samples.cell(2, 2, 2, 2, 2)).steps())
                .hasSize(7)
                .containsEntry("new past", new Result("works", ""))
                .containsEntry("mask bit_device", new Result("EOPNOTSUPP", "bit: EOPNOTSUPP"))
                .containsEntry("new falls", new Result("works", "extended"))
                .containsEntry("new missing", new Result("works", ""))
                .containsEntry("new dependent", new Result("works", ""))
                .containsEntry(
                        "mask bit", new Result("EOPNOTSUPP", "the mask has bits that this library does not know"));
    }

    /** Between levels, each step is judged by its own level: a library of level 2 has only the verbs of level 2. */
    @Test
    void stepsAreJudgedByTheirOwnLevel() {
        AppSource app = AppSource.ofLevel(3);
        Cell cell = new Cell(
                Plan.GENERAL,
                app,
                Samples.release(3),
                Samples.release(2),
                Samples.provider(3),
                Samples.release(3),
                false,
                Samples.JDK);
        assertThat(Expectation.of(cell).steps())
                .containsEntry("new create_qp_ex", new Result("works", "extended"))
                .containsEntry("new open_xrcd", new Result("works", ""))
                .containsEntry("new create_cq_ex", new Result("works", "fall-back"))
                .containsEntry("new start_poll", new Result("EOPNOTSUPP", "start_poll"))
                .containsEntry("new query_values", new Result("ENOSYS", "the library is too old"))
                .containsEntry("mask modify_cq", new Result("ENOSYS", "the library is too old"));
    }

    /** javac finds the symbols of the header's level and of earlier ones. */
    @Test
    void missingSymbolsBelongToLaterLevels() {
        assertThat(AppSource.ofLevel(3).symbols().tailMap(2, false).values())
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                .contains("CqInitAttrEx", "Context.queryGidTable")
                .doesNotContain("QpInitAttrEx");
        assertThat(AppSource.ofLevel(3).symbols()).containsOnlyKeys(2, 3);
        assertThat(AppSource.ofLevel(2).symbols()).containsOnlyKeys(2);
        assertThat(AppSource.ofLevel(1).symbols()).isEmpty();
        assertThat(AppSource.ofLevel(1).symbols().tailMap(9, false)).isEmpty();
    }

    /** Operations go from the program to the device directly, so an older library does not matter. */
    @Test
    void onlyOlderDeviceRefusesOperation() {
        Step step = Step.of(3, "new", "post_nop", Step.Kind.OPERATION);
        assertThat(Expectation.of(step, true, false)).isEqualTo(new Expectation.Result("works", "refused"));
        assertThat(Expectation.of(step, false, false)).isEqualTo(new Expectation.Result("works", "refused"));
        assertThat(Expectation.of(step, false, true)).isEqualTo(new Expectation.Result("works", ""));
    }
}
