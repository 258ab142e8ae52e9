/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import io.verbs4j.provider.mlx5.sim.programs.SteeredFramesProgram;
import io.verbs4j.provider.mlx5.sim.programs.SteeringCasesProgram;
import io.verbs4j.provider.mlx5.sim.programs.SteeringDomainsProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Steers frames between two simulated devices, under the installed libmlx5 (0) and those of other releases. */
@Full
class SteeringIT {
    private static final int SECONDS = 120;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | native | rules closing refusals examples",
                "33 | native | rules closing lacking",
                "56 | native | rules",
                "65 | native | rules offsets closing examples",
                "0 | java | rules",
                "33 | java | closing",
                "65 | java | rules"
            })
    void kernelTablesSteerFrames(int release, String path, String cases) throws IOException, InterruptedException {
        sim(release).runCases(SteeringCasesProgram.class, SECONDS, cases, path);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | native | root closing",
                "33 | native | root closing",
                "56 | native | root",
                "65 | native | root closing threads",
                "0 | java | root",
                "65 | java | closing"
            })
    void domainsSteerFrames(int release, String path, String cases) throws IOException, InterruptedException {
        sim(release).runCases(SteeringDomainsProgram.class, SECONDS, cases, path);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | native | tables newer changes tunnels kernel refusals",
                "33 | native | tables changes kernel",
                "56 | native | tables",
                "65 | native | tables newer changes tags tunnels kernel",
                "65 | native | several meters anchors refusals",
                "33 | java | tables",
                "65 | java | tables changes tags tunnels"
            })
    void softwareTablesSteerFrames(int release, String path, String cases) throws IOException, InterruptedException {
        sim(release).runCases(SteeredFramesProgram.class, SECONDS, cases, path);
    }

    /** Release 0 is the installed one. */
    private static DeviceSim sim(int release) throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with("--thread", "--devices", "2");
        return devices.under(release);
    }
}
