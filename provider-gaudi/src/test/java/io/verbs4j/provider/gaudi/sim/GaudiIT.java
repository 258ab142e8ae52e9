/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.gaudi.sim.programs.ControlPathProgram;
import io.verbs4j.provider.gaudi.sim.programs.DirectVerbsProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gaudi through the library that stands in for libhbl, on simulated cards; release 0 of rdma-core is the installed one.
 */
@Full
class GaudiIT {
    private static final int SECONDS = 120;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    private static DeviceSim sim(int release, String layout) throws IOException, InterruptedException {
        DeviceSim sim =
                DeviceSim.with("--vendors", "hbl", "--devices", "2", "--ports", "3", "--pump", "--libhbl", layout);
        return sim.under(release);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 33, 44, 56, 65})
    void objectsAreCreatedAndMistakesRefused(int release) throws IOException, InterruptedException {
        assertThat(sim(release, "upstream")
                        .run(ControlPathProgram.class, SECONDS)
                        .text())
                .contains("control ok");
    }

    /** Each structure reaches the library in the layout that it reads, and fields it does not read are refused. */
    @ParameterizedTest
    @CsvSource({"upstream, 0", "1.16.1, 0", "1.17, 0", "1.18, 0", "1.19, 0", "1.20, 0", "1.21, 0", "1.21, 44"})
    void directVerbsWorkOnEachLayout(String layout, int release, @TempDir Path folder)
            throws IOException, InterruptedException {
        String log = folder.resolve("log").toString();
        assertThat(sim(release, layout)
                        .environment("DEVICE_SIM_LIBHBL_LOG=" + log)
                        .run(DirectVerbsProgram.class, SECONDS, layout, log)
                        .text())
                .contains("direct ok");
    }
}
