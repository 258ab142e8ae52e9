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
    @CsvSource({
        "queries, java",
        "rings, java",
        "rings, native",
        "allocators, java",
        "allocators, native",
        "brokenAllocators, java",
        "clock, java",
        "completionQueues, java",
        "completionQueues, native",
        "queuePairs, java",
        "queuePairs, native",
        "pages, java",
        "paths, java",
        "paths, native",
        "closed, java",
        "closed, native",
        "dcStates, java",
        "dcStates, native",
        "dcRefusals, java",
        "dcRefusals, native",
        "dcByHand, native",
        "dcTraffic, java",
        "dcWrongKey, java",
        "dcManyTargets, java",
        "dcNoAddress, native",
        "dcWrongAddress, java",
        "examples, java"
    })
    void directVerbsWorkOnInstalledLibrary(String name, String path) throws IOException, InterruptedException {
        assertThat(DeviceSim.with("--pump")
                        .run(DirectVerbsProgram.class, SECONDS, name, path)
                        .text())
                .contains("done " + name);
    }

    /** C calls back into a module that JNA may not access. */
    @ParameterizedTest
    @ValueSource(strings = {"allocators", "brokenAllocators"})
    void allocatorsWorkOnModulePath(String name) throws IOException, InterruptedException {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String modules = Stream.of(path.split(File.pathSeparator))
                .filter(entry -> entry.matches(
                        ".*/(verbs-spi|verbs-core|verbs-native|verbs-rdma-core|provider-mlx5|jna)-[0-9.]+\\.jar"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(DeviceSim.with("--pump")
                        .jvm("-p", modules, "--add-modules", "io.verbs4j.provider.mlx5,io.verbs4j.core,com.sun.jna")
                        // The program uses this internal package of the binding, which is not exported.
                        .jvm("--add-exports", "io.verbs4j.natives/io.verbs4j.natives.memory=ALL-UNNAMED")
                        .run(DirectVerbsProgram.class, SECONDS, name, "java")
                        .text())
                .contains("done " + name);
    }

    @Test
    void directVerbsWorkOnBondedPorts() throws IOException, InterruptedException {
        assertThat(DeviceSim.with("--pump", "--lag")
                        .run(DirectVerbsProgram.class, SECONDS, "bondedPorts", "java")
                        .text())
                .contains("done bondedPorts");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "queries",
                "rings",
                "allocators",
                "completionQueues",
                "queuePairs",
                "pages",
                "dcStates",
                "dcRefusals"
            })
    void directVerbsWorkOnRelease33(String name) throws IOException, InterruptedException {
        on(33, name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "queries",
                "rings",
                "allocators",
                "completionQueues",
                "queuePairs",
                "pages",
                "dcStates",
                "dcRefusals"
            })
    void directVerbsWorkOnRelease65(String name) throws IOException, InterruptedException {
        on(65, name);
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
        assertThat((release == 0 ? devices : devices.under(release))
                        .run(DcBytesProgram.class, SECONDS, "2000", "1")
                        .text())
                .contains("same ")
                .contains("violations 0");
    }

    private void on(int release, String name) throws IOException, InterruptedException {
        assertThat(DeviceSim.with("--pump")
                        .under(release)
                        .run(DirectVerbsProgram.class, SECONDS, name, "java")
                        .text())
                .contains("done " + name);
    }
}
