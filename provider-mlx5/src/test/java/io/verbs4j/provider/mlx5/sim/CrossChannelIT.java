/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.CrossChannelProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cross channel on a simulated device under the strict checker. */
@Full
class CrossChannelIT {
    private static final int SECONDS = 120;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    private static String run(DeviceSim sim, int release, String... arguments)
            throws IOException, InterruptedException {
        return sim.under(release)
                .run(CrossChannelProgram.class, SECONDS, arguments)
                .text();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "waits",
                "unreliable",
                "sends",
                "goesRound",
                "receives",
                "takenBack",
                "resized",
                "told",
                "refused",
                "gone"
            })
    void crossChannelCaseSucceeds(String name) throws IOException, InterruptedException {
        assertThat(run(DeviceSim.with("--pump"), 0, name)).contains("done");
    }

    /** A chain of transfers that runs without the program, with each release; 0 is the installed one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 33, 44, 56, 65})
    void transferChainSumsAroundRing(int release) throws IOException, InterruptedException {
        assertThat(run(DeviceSim.with("--pump"), release, "ring")).contains("done");
    }

    @ParameterizedTest
    @CsvSource({"33, sends", "33, waits", "65, sends", "65, told"})
    void crossChannelCaseSucceedsOnOtherReleases(int release, String name) throws IOException, InterruptedException {
        assertThat(run(DeviceSim.with("--pump"), release, name)).contains("done");
    }

    /** libmlx5 has no function for these requests. */
    @Test
    void libmlx5PathHasNoCrossChannel() throws IOException, InterruptedException {
        assertThat(run(DeviceSim.with("--pump"), 0, "lacking", "native")).contains("done");
    }

    @Test
    void crossChannelRequiresDevx() throws IOException, InterruptedException {
        assertThat(run(DeviceSim.with("--pump", "--quiet", "--no-devx"), 0, "lacking", "java"))
                .contains("done");
    }
}
