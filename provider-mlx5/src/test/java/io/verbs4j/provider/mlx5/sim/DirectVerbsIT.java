/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.DcBytesProgram;
import io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.File;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** mlx5dv for applications on simulated devices, on both data paths and under the oldest and newest release. */
@Full
class DirectVerbsIT {
    private static final int SECONDS = 120;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "java | queries rings allocators brokenAllocators clock completionQueues queuePairs pages paths closed",
                "java | dcStates dcRefusals dcTraffic dcWrongKey dcManyTargets dcWrongAddress examples",
                "native | rings allocators completionQueues queuePairs paths closed",
                "native | dcStates dcRefusals dcByHand dcNoAddress"
            })
    void directVerbsWorkOnInstalledLibrary(String path, String cases) throws IOException, InterruptedException {
        DeviceSim.with("--pump").runCases(DirectVerbsProgram.class, SECONDS, cases, path);
    }

    /** C calls back into a module that JNA may not access. */
    @Test
    void allocatorsWorkOnModulePath() throws IOException, InterruptedException {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String modules = Stream.of(path.split(File.pathSeparator))
                .filter(entry -> entry.matches(
                        ".*/(verbs-spi|verbs-core|verbs-native|verbs-rdma-core|provider-mlx5|jna)-[0-9.]+\\.jar"))
                .collect(Collectors.joining(File.pathSeparator));
        DeviceSim.with("--pump")
                .jvm("-p", modules, "--add-modules", "io.verbs4j.provider.mlx5,io.verbs4j.core,com.sun.jna")
                // The program uses this internal package of the binding, which is not exported.
                .jvm("--add-exports", "io.verbs4j.natives/io.verbs4j.natives.memory=ALL-UNNAMED")
                .runCases(DirectVerbsProgram.class, SECONDS, "allocators brokenAllocators", "java");
    }

    @Test
    void directVerbsWorkOnBondedPorts() throws IOException, InterruptedException {
        DeviceSim.with("--pump", "--lag").runCases(DirectVerbsProgram.class, SECONDS, "bondedPorts", "java");
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 65})
    void directVerbsWorkOnOtherReleases(int release) throws IOException, InterruptedException {
        on(release, "queries rings allocators completionQueues queuePairs pages dcStates dcRefusals");
    }

    @Test
    void functionsMissingInRelease33AreReportedByName() throws IOException, InterruptedException {
        on(33, "lacking");
    }

    /** Compares a DC initiator's ring byte by byte: Java's builder against libmlx5's. */
    @ParameterizedTest
    @ValueSource(ints = {0, 33, 56, 65})
    void builderWritesSameDcBytesAsLibmlx5(int release) throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with("--devices", "2", "--pump");
        assertThat(devices.under(release)
                        .run(DcBytesProgram.class, SECONDS, "2000", "1")
                        .text())
                .contains("same ")
                .contains("violations 0");
    }

    private static void on(int release, String cases) throws IOException, InterruptedException {
        DeviceSim.with("--pump").under(release).runCases(DirectVerbsProgram.class, SECONDS, cases, "java");
    }
}
