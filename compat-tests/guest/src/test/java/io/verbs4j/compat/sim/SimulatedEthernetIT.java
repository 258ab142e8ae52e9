/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.sim.programs.EthernetFramesProgram;
import io.verbs4j.compat.sim.programs.Frames;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ethernet frames through the switch of a simulated ConnectX with two ports, by Java and by libmlx5, under the strict
 * checker.
 */
@Full
class SimulatedEthernetIT {
    private static final int SECONDS = 180;

    /** Release 0 is the installed one. */
    @ParameterizedTest
    @CsvSource({"0, java", "33, java", "56, java", "65, java", "0, native", "33, native", "56, native", "65, native"})
    void framesArriveAtTheirQueues(int release, String path) throws IOException, InterruptedException {
        DeviceSim.require();
        DeviceSim devices =
                DeviceSim.with("--thread", "--strict", "--ports", "2").jvm("-Dio.verbs4j.mlx5.path=" + path);
        assertThat(devices.under(release)
                        .run(EthernetFramesProgram.class, SECONDS)
                        .text())
                .contains("steered ok", "spread ok", "segmented ok", "stripped ok", "frames ok")
                .doesNotContain("violation");
    }

    /**
     * Uses the published vector of 66.9.149.187:2794 to 161.142.100.80:1766, so that the test's own hash is verified.
     */
    @Test
    void hashMatchesSpecification() {
        ByteBuffer frame = ByteBuffer.allocate(64);
        frame.putInt(Frames.IP + 12, 66 << 24 | 9 << 16 | 149 << 8 | 187);
        frame.putInt(Frames.IP + 16, 161 << 24 | 142 << 16 | 100 << 8 | 80);
        frame.putShort(Frames.IP + 20, (short) 2794).putShort(Frames.IP + 22, (short) 1766);
        assertThat(Frames.hash(frame)).isEqualTo(0x51ccc178);
    }
}
