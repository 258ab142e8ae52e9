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
    @CsvSource({
        "0, layouts, native",
        "65, layouts, native",
        "0, oldLayouts, native",
        "33, oldLayouts, native",
        "0, oneOperation, native",
        "33, oneOperation, native",
        "0, access, native",
        "65, access, native",
        "0, invalidated, native",
        "0, received, native",
        "0, allocations, native",
        "0, refusals, native",
        "0, full, native",
        "65, full, native",
        "33, lacking, native"
    })
    void layoutKeysWorkOnLibmlx5(int release, String name, String path) throws IOException, InterruptedException {
        run(release, MkeyCasesProgram.class, name, path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "layouts",
                "oldLayouts",
                "oneOperation",
                "access",
                "invalidated",
                "refusals",
                "full",
                "received",
                "longElements",
                "failedChange"
            })
    void layoutKeysWorkOnJavaPath(String name) throws IOException, InterruptedException {
        run(0, MkeyCasesProgram.class, name, "java");
    }

    @ParameterizedTest
    @ValueSource(strings = {"atomics", "unsignaled", "mixed", "refusals"})
    void rawRequestsWorkOnJavaPath(String name) throws IOException, InterruptedException {
        run(0, RawRequestsProgram.class, name, "java");
    }

    /** Compares the send ring byte by byte: Java's against libmlx5's. */
    @ParameterizedTest
    @ValueSource(ints = {0, 56, 65})
    void javaWritesSameKeyBytesAsLibmlx5(int release) throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with("--devices", "2", "--pump");
        assertThat((release == 0 ? devices : devices.under(release))
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
    @CsvSource({
        "0, dif, native",
        "65, dif, native",
        "0, wrong, native",
        "65, wrong, native",
        "0, crc, native",
        "0, both, native",
        "0, reset, native",
        "0, mistakes, native",
        "0, full, native",
        "65, full, native",
        "0, onJava, java"
    })
    void signatureKeysWork(int release, String name, String path) throws IOException, InterruptedException {
        run(release, SignaturesProgram.class, name, path);
    }

    @ParameterizedTest
    @CsvSource({
        "0, atomics, native",
        "65, atomics, native",
        "0, unsignaled, native",
        "0, mixed, native",
        "0, memcpy, native",
        "65, memcpy, native",
        "0, refusals, native"
    })
    void rawRequestsWorkOnLibmlx5(int release, String name, String path) throws IOException, InterruptedException {
        run(release, RawRequestsProgram.class, name, path);
    }

    @ParameterizedTest
    @CsvSource({"columns, java", "columns, native", "signatures, native"})
    void documentedProgramsSucceed(String name, String path) throws IOException, InterruptedException {
        run(0, KeyExamplesProgram.class, name, path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "java"})
    void devxWorkQueuesWork(String path) throws IOException, InterruptedException {
        run(0, DevxWorkQueuesProgram.class, "workQueues", path);
    }

    private static void run(int release, Class<?> program, String name, String path)
            throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with("--pump");
        assertThat((release == 0 ? devices : devices.under(release))
                        .run(program, SECONDS, name, path)
                        .text())
                .contains("done " + name);
    }
}
