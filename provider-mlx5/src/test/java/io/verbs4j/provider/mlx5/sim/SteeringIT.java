/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

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
    @CsvSource({
        "0, rules",
        "33, rules",
        "56, rules",
        "65, rules",
        "65, offsets",
        "0, closing",
        "33, closing",
        "65, closing",
        "0, refusals",
        "33, lacking",
        "0, examples",
        "65, examples"
    })
    void kernelTablesSteerFrames(int release, String name) throws IOException, InterruptedException {
        assertThat(on(release, SteeringCasesProgram.class, name)).contains("done " + name);
    }

    @ParameterizedTest
    @CsvSource({"0, root", "33, root", "56, root", "65, root", "0, closing", "33, closing", "65, closing", "65, threads"
    })
    void domainsSteerFrames(int release, String name) throws IOException, InterruptedException {
        assertThat(on(release, SteeringDomainsProgram.class, name)).contains("done " + name);
    }

    @ParameterizedTest
    @CsvSource({
        "0, tables",
        "33, tables",
        "56, tables",
        "65, tables",
        "0, newer",
        "65, newer",
        "0, changes",
        "33, changes",
        "65, changes",
        "65, tags",
        "0, tunnels",
        "65, tunnels",
        "0, kernel",
        "33, kernel",
        "65, kernel",
        "65, several",
        "65, meters",
        "65, anchors",
        "0, refusals",
        "65, refusals"
    })
    void softwareTablesSteerFrames(int release, String name) throws IOException, InterruptedException {
        assertThat(on(release, SteeredFramesProgram.class, name)).contains("done " + name);
    }

    @ParameterizedTest
    @CsvSource({"0, rules", "65, rules", "33, closing"})
    void kernelTablesSteerFramesOnJavaPath(int release, String name) throws IOException, InterruptedException {
        assertThat(on(release, SteeringCasesProgram.class, name, "java")).contains("done " + name);
    }

    @ParameterizedTest
    @CsvSource({"0, root", "65, closing"})
    void domainsSteerFramesOnJavaPath(int release, String name) throws IOException, InterruptedException {
        assertThat(on(release, SteeringDomainsProgram.class, name, "java")).contains("done " + name);
    }

    @ParameterizedTest
    @CsvSource({"33, tables", "65, tables", "65, changes", "65, tags", "65, tunnels"})
    void softwareTablesSteerFramesOnJavaPath(int release, String name) throws IOException, InterruptedException {
        assertThat(on(release, SteeredFramesProgram.class, name, "java")).contains("done " + name);
    }

    private static String on(int release, Class<?> program, String name) throws IOException, InterruptedException {
        return on(release, program, name, "native");
    }

    private static String on(int release, Class<?> program, String name, String path)
            throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with("--thread", "--devices", "2");
        return (release == 0 ? devices : devices.under(release))
                .run(program, SECONDS, name, path)
                .text();
    }
}
