/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.tools.Main;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code verbs info} says of simulated devices what {@code ibv_devinfo} says of them, to the letter. */
class SimulatedInfoIT {
    private static final int SECONDS = 120;

    @Test
    void bothSayTheSame() throws Exception {
        DeviceSim.require();
        assumeTrue(Program.isOnPath("ibv_devinfo"), "no ibv_devinfo here: install ibverbs-utils");
        DeviceSim devices = DeviceSim.with("--quiet", "--devices", "2", "--vendors", "mlx5,efa", "--ports", "2");
        for (String device : List.of("mlx5_0", "efa_1")) {
            List<String> c =
                    devices.run(List.of("ibv_devinfo", "-d", device), SECONDS).lines();
            assertThat(c).contains("hca_id:\t" + device);
            assertThat(devices.run(Main.class, SECONDS, "info", "-d", device).lines())
                    .isEqualTo(c);
        }
    }
}
