/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.UnknownValuesProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Values that the device does not know, values that it returns, and unacknowledged events, on each release and both
 * data paths.
 */
@Full
class OpenWorldIT {
    private static final int SECONDS = 120;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    /** Release 0 is the installed one. A close that waited for an event would never return. */
    @ParameterizedTest
    @CsvSource({
        "0, java",
        "0, native",
        "33, java",
        "33, native",
        "44, java",
        "56, java",
        "56, native",
        "65, java",
        "65, native"
    })
    void unknownValuesAreReportedAndClosingNeverWaits(int release, String path)
            throws IOException, InterruptedException {
        DeviceSim sim = DeviceSim.with("--pump");
        String out = sim.under(release)
                .run(UnknownValuesProgram.class, SECONDS, path)
                .text();
        assertThat(out).contains("open world ok");
    }
}
