/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import io.verbs4j.provider.mlx5.sim.programs.DevxLanesProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Device code on queues in memory of the program, with a simulated device whose strict checker judges it. */
@Full
class DevxLanesIT {
    private static final int SECONDS = 180;
    private static final int OF_EXPORTED_PAGES = 65;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    @Test
    void lanesUseQueuesInMemoryOfProgram() throws IOException, InterruptedException {
        DeviceSim.with("--thread")
                .runCases(DevxLanesProgram.class, SECONDS, "memory dmabuf proxy failed refused withoutExport");
    }

    @Test
    void lanesRingThroughExportedPage() throws IOException, InterruptedException {
        DeviceSim.with("--thread")
                .under(OF_EXPORTED_PAGES)
                .runCases(DevxLanesProgram.class, SECONDS, "exportedRegister");
    }
}
