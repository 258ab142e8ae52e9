/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.mlx5.sim.programs.DeviceCodeProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Device code on CPU threads, with a simulated device whose strict checker judges each descriptor and each doorbell.
 */
@Full
class DeviceCodeIT {
    private static final int SECONDS = 180;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one batches unsignaled eight eightInBatches proxy late",
                "reads atomics sends full failed refused shared versions arrivals"
            })
    void lanesUseQueuePair(String cases) throws IOException, InterruptedException {
        DeviceSim.with("--thread").runCases(DeviceCodeProgram.class, SECONDS, cases);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "eight | v4j_vendor_bell(ring, all); | v4j_store32(&ring->bell_lock, 0); for (volatile v4j_u64 i = 0;"
                        + " i < (all & 1) * 100000; i++) { } v4j_vendor_bell(ring, all);",
                "late | while (v4j_load64(&ring->ready) != first) { | while (0) {",
                "one | (at & 0xffff) << 8 | ((at + 1) & 0xffff) << 8",
                "one | (void *)(ring->record + V4J_MLX5_SEND_RECORD) | (void *)&ring->unused_sends",
                "one | ring->consumed = n + 1; | ring->consumed = n + 2;",
                "one | first + n - freed > ring->room | first + n < freed",
                "atomics | segments = 4; | segments = 3;",
                "sends | opcode = 0x0b; | opcode = 0x0a;",
                "reads | wqe[n] = v4j_swap64(r->local); | wqe[n] = v4j_swap64(r->local + 8);"
            })
    void mutantIsCaught(String name, String piece, String instead) throws IOException, InterruptedException {
        Program.Result result = DeviceSim.with("--thread").run(DeviceCodeProgram.class, SECONDS, name, piece, instead);
        assertThat(result.status()).isNotZero();
        assertThat(String.join("\n", result.lines())).doesNotContain("gcc refuses", "no text contains");
    }
}
