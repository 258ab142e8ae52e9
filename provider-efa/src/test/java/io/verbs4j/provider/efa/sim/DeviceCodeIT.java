/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.efa.sim.programs.DeviceCodeProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Device code on CPU threads, on a simulated EFA device whose strict checker judges descriptors and doorbells. */
@Full
class DeviceCodeIT {
    private static final int SECONDS = 180;
    private static final int RELEASE = 65; // the first one whose libefa tells all that Java's data path needs

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    private static DeviceSim sim() throws IOException, InterruptedException {
        return DeviceSim.with(
                        "--vendors", "efa", "--efa", "efa1+unsolicited+inline=80+extmem+counters+batch=8", "--thread")
                .jvm("-Dio.verbs4j.efa.path=java")
                .under(RELEASE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one batches eight eightInBatches anyOrder proxy late reads",
                "messages datagrams full limit failed refused atomics arrivals"
            })
    void lanesUseQueuePair(String cases) throws IOException, InterruptedException {
        sim().runCases(DeviceCodeProgram.class, SECONDS, cases);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "late | while (v4j_load64(&ring->ready) != first) { | while (0) {",
                "one | v4j_efa_phase(ring, at) | 0",
                "one | v4j_register32(ring->bell, (v4j_u32)upto & 0xffff); | v4j_register32(ring->bell, ((v4j_u32)upto"
                        + " + 1) & 0xffff);",
                "limit | first + n - rung > ring->batch | first + n < rung",
                "one | ring->consumed = n + 1; | ring->consumed = n + 2;",
                "anyOrder | v4j_store64(&ring->freed, freed); | v4j_store64(&ring->freed, freed + 1);",
                "messages | wqe[5] = r->local; | wqe[5] = r->local + 8;",
                "reads | v4j_efa_words(r->length, r->rkey) | v4j_efa_words(r->length, r->lkey + 256)"
            })
    void mutantIsCaught(String name, String piece, String instead) throws IOException, InterruptedException {
        Program.Result result = sim().run(DeviceCodeProgram.class, SECONDS, name, piece, instead);
        assertThat(result.status()).isNotZero();
        assertThat(String.join("\n", result.lines())).doesNotContain("gcc refuses", "no text contains");
    }
}
