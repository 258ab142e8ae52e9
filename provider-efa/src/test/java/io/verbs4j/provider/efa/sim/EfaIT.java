/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.ProgramOfPage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** EFA by the real libefa of each release, on simulated devices; release 0 is the installed one. */
class EfaIT {
    private static final int SECONDS = 120;

    /** A device of today, and one that all releases find. */
    private static final String DEVICE = "efa1+unsolicited+inline=80";

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    private static DeviceSim sim(int release) throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--vendors", "efa", "--efa", DEVICE, "--pump");
        return release == 0 ? sim : sim.under(release);
    }

    @Test
    void theProgramOfThePage(@TempDir Path folder) throws IOException, InterruptedException {
        String out = DeviceSim.with("--vendors", "efa", "--thread")
                .run(ProgramOfPage.class, SECONDS, "../docs/efa.md", "" + folder)
                .text();
        assertThat(out).contains("received 42");
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "33, 2", "44, 3", "56, 4", "65, 5", "65, 0"})
    void datagramsArrive(int release, int seed) throws IOException, InterruptedException {
        assertThat(sim(release).run(Traffic.class, SECONDS, "" + seed).text()).contains("traffic ok");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 33, 44, 56, 65})
    void whatItHasNotIsRefused(int release) throws IOException, InterruptedException {
        assertThat(sim(release).run(Rules.class, SECONDS, "" + release).text()).contains("rules ok");
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 44, 56, 65})
    void directVerbsOfEachRelease(int release) throws IOException, InterruptedException {
        assertThat(sim(release).run(DirectVerbs.class, SECONDS, "" + release).text())
                .contains("direct ok");
    }
}
