/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.tools.Main;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code verbs pingpong srd} between two processes, each with a simulated EFA. */
class SimulatedPingPongIT {
    private static final int SECONDS = 120;

    @Test
    void srd(@TempDir Path rendezvous) throws Exception {
        DeviceSim.require();
        String out = DeviceSim.with("--vendors", "efa", "--thread", "--rendezvous", "" + rendezvous)
                .run(Main.class, SECONDS, "pingpong", "srd", "--both", "-d", "efa_0", "-n", "500", "--warm-up", "0")
                .text();
        // 500 messages of 4096 bytes each way, all looked at
        assertThat(out).contains("Both sides of an SRD", "verified: every byte of 1000 messages, 4096000 bytes");
    }
}
