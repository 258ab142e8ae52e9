/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.tools.Main;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code verbs info} prints exactly what {@code ibv_devinfo} prints about simulated devices. */
@Full
class SimulatedInfoIT {
    private static final int SECONDS = 120;

    @Test
    void infoMatchesIbvDevinfo() throws Exception {
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

    /** Tests the additional values of efadv, as far as the loaded libefa knows them. */
    @ParameterizedTest
    @ValueSource(ints = {33, 65})
    void infoListsVendorAttributes(int release) throws Exception {
        DeviceSim.require();
        DeviceSim devices = DeviceSim.with("--quiet", "--vendors", "efa", "--efa", "efa1+inline=80")
                .under(release);
        List<String> lines =
                devices.run(Main.class, SECONDS, "info", "-v", "-d", "efa_0").lines();
        assertThat(lines)
                .containsSequence(
                        "\tefadv_device_attr:",
                        "\t\tmax_sq_wr:\t\t2048",
                        "\t\tmax_rq_wr:\t\t8192",
                        "\t\tmax_sq_sge:\t\t2",
                        "\t\tmax_rq_sge:\t\t3",
                        "\t\tinline_buf_size:\t32")
                .contains("\t\tmax_rdma_size:\t\t1073741824");
        List<String> newer =
                List.of("\t\tinline_buf_size_ex:\t80", "\t\tmax_sq_depth:\t\t2048", "\t\tmax_rq_depth:\t\t8192");
        if (release >= 63) {
            assertThat(lines)
                    .containsAll(newer)
                    .containsSequence(
                            "\t\tdevice_caps:\t\t0x0000000f",
                            "\t\t\t\t\tRDMA_READ",
                            "\t\t\t\t\tRNR_RETRY",
                            "\t\t\t\t\tCQ_WITH_SGID",
                            "\t\t\t\t\tRDMA_WRITE");
        } else {
            assertThat(lines).doesNotContainAnyElementsOf(newer).contains("\t\tdevice_caps:\t\t0x00000003");
        }
    }
}
