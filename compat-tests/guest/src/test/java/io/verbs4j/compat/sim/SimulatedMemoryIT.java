/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.sim.programs.ReachableMemoryProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Device access to memory, through libmlx5 on a simulated ConnectX, under the strict checker. */
@Full
class SimulatedMemoryIT {
    private static final int SECONDS = 120;

    @ParameterizedTest
    @CsvSource({"33,missing,java", "56,missing,java", "65,ok,java", "65,ok,native"})
    void deviceWritesToHintedMemoryAndOwnBuffers(int release, String expected, String path)
            throws IOException, InterruptedException {
        DeviceSim.require();
        DeviceSim devices = DeviceSim.with("--thread", "--strict").jvm("-Dio.verbs4j.mlx5.path=" + path);
        assertThat(devices.under(release)
                        .run(ReachableMemoryProgram.class, SECONDS)
                        .text())
                .contains("hints " + expected, "buffers " + expected)
                .doesNotContain("violation");
    }
}
