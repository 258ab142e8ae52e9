/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.ClosingWhilePolledProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No thread reads or writes what closing has destroyed, even while other threads poll: accessing freed memory ends the
 * JVM.
 */
@Full
class ClosingWhilePolledIT {
    private static final int SECONDS = 120;
    private static final String ROUNDS = "40";

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    @ParameterizedTest
    @CsvSource({
        "READS, java",
        "RECEIVES, java",
        "SHARED_RECEIVES, java",
        "XRC, java",
        "RESETS, java",
        "COMPLETION_QUEUES, java",
        "RESIZES, java",
        "WINDOWS, java",
        "KEYS, java",
        "DC, java",
        "DEVICE_MEMORY, java",
        "DEVICE_MEMORY, native",
        "DEVX, java",
        "READS, generic",
        "SHARED_RECEIVES, generic",
        "XRC, generic",
        "WINDOWS, generic",
        "COMPLETION_QUEUES, generic",
        "READS, native",
        "XRC, native",
        "XRC, native-wr",
        "WINDOWS, native",
        "COMPLETION_QUEUES, native-wr"
    })
    void closingWhilePolledNeverTouchesFreedMemory(String kind, String path) throws IOException, InterruptedException {
        String out = DeviceSim.with("--thread", "--strict", "--quiet", "--guard")
                .run(ClosingWhilePolledProgram.class, SECONDS, kind, ROUNDS, path)
                .text();
        assertThat(out).contains(kind + " closed while polled");
    }
}
