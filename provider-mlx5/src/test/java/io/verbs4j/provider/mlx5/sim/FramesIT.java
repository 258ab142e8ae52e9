/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.FrameBytesProgram;
import io.verbs4j.provider.mlx5.sim.programs.FramesWithoutDevxProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Raw packets and work queues on Java's data path, on simulated devices. */
@Full
class FramesIT {
    private static final int SECONDS = 120;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    /** Compares the rings byte by byte, and the completions: Java's against libmlx5's. */
    @ParameterizedTest
    @ValueSource(ints = {0, 33, 56, 65})
    void javaWritesSameFrameBytesAsLibmlx5(int release) throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with("--devices", "2", "--pump");
        assertThat(devices.under(release)
                        .run(FrameBytesProgram.class, SECONDS, "2000", "1")
                        .text())
                .contains("same 2000");
    }

    /** The environment selects how libmlx5 rings the doorbell. */
    @ParameterizedTest
    @ValueSource(strings = {"MLX5_POST_SEND_PREFER_BF=0", "MLX5_SHUT_UP_BF=1"})
    void javaRingsDoorbellsAsLibmlx5Does(String variable) throws IOException, InterruptedException {
        assertThat(DeviceSim.with("--devices", "2", "--pump")
                        .environment(variable)
                        .run(FrameBytesProgram.class, SECONDS, "1000", "2")
                        .text())
                .contains("same 1000");
    }

    /** Without DevX, nothing says which queue a frame arrived at. */
    @Test
    void framesRequireDevx() throws IOException, InterruptedException {
        assertThat(DeviceSim.with("--pump", "--no-devx")
                        .run(FramesWithoutDevxProgram.class, SECONDS)
                        .text())
                .contains("no frames");
    }
}
