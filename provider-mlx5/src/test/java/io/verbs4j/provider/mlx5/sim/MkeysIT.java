/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.DevxWorkQueuesProgram;
import io.verbs4j.provider.mlx5.sim.programs.KeyChangeBytesProgram;
import io.verbs4j.provider.mlx5.sim.programs.KeyExamplesProgram;
import io.verbs4j.provider.mlx5.sim.programs.MkeyCasesProgram;
import io.verbs4j.provider.mlx5.sim.programs.RawRequestsProgram;
import io.verbs4j.provider.mlx5.sim.programs.SignaturesProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys with layouts and signatures, and other requests specific to mlx5, on simulated devices. */
@Full
class MkeysIT {
    private static final int SECONDS = 120;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | native | layouts oldLayouts oneOperation access invalidated received allocations refusals full",
                "33 | native | oldLayouts oneOperation lacking",
                "65 | native | layouts access full",
                "0 | java | layouts oldLayouts oneOperation access invalidated",
                "0 | java | refusals full received longElements failedChange"
            })
    void layoutKeysWork(int release, String path, String cases) throws IOException, InterruptedException {
        sim(release).runCases(MkeyCasesProgram.class, SECONDS, cases, path);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | java | atomics unsignaled mixed refusals",
                "0 | native | atomics unsignaled mixed memcpy refusals",
                "65 | native | atomics memcpy"
            })
    void rawRequestsWork(int release, String path, String cases) throws IOException, InterruptedException {
        sim(release).runCases(RawRequestsProgram.class, SECONDS, cases, path);
    }

    /** Compares the send ring byte by byte: Java's against libmlx5's. */
    @ParameterizedTest
    @ValueSource(ints = {0, 56, 65})
    void javaWritesSameKeyBytesAsLibmlx5(int release) throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with("--devices", "2", "--pump");
        assertThat(devices.under(release)
                        .run(KeyChangeBytesProgram.class, SECONDS, "3000", "1")
                        .text())
                .contains("same 3000");
    }

    /** The environment selects how libmlx5 rings the doorbell. */
    @ParameterizedTest
    @ValueSource(strings = {"MLX5_POST_SEND_PREFER_BF=0", "MLX5_SHUT_UP_BF=1"})
    void javaRingsDoorbellsAsLibmlx5Does(String variable) throws IOException, InterruptedException {
        assertThat(DeviceSim.with("--devices", "2", "--pump")
                        .environment(variable)
                        .run(KeyChangeBytesProgram.class, SECONDS, "1000", "2")
                        .text())
                .contains("same 1000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | native | dif wrong crc both reset mistakes full",
                "65 | native | dif wrong full",
                "0 | java | onJava"
            })
    void signatureKeysWork(int release, String path, String cases) throws IOException, InterruptedException {
        sim(release).runCases(SignaturesProgram.class, SECONDS, cases, path);
    }

    @ParameterizedTest
    @CsvSource({"columns, java", "columns, native", "signatures, native"})
    void documentedProgramsSucceed(String name, String path) throws IOException, InterruptedException {
        sim(0).runCases(KeyExamplesProgram.class, SECONDS, name, path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "java"})
    void devxWorkQueuesWork(String path) throws IOException, InterruptedException {
        sim(0).runCases(DevxWorkQueuesProgram.class, SECONDS, "workQueues", path);
    }

    /** Release 0 is the installed one. */
    private static DeviceSim sim(int release) throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with("--pump");
        return devices.under(release);
    }
}
