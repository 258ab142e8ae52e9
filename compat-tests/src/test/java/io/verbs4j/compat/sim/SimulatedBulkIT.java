/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The bulk transport on simulated devices, which have no connection manager: ConnectX by all operations, Gaudi by
 * writes alone, by GID and by wired ports, EFA by datagrams, also in another order. The first violation of a device's
 * rules ends the program.
 */
@Full
class SimulatedBulkIT {
    private static final int SECONDS = 240;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    /** Release 0 is the installed one. */
    @ParameterizedTest
    @CsvSource({"0, mlx5, 1, 0", "65, mlx5, 1, 0", "0, hbl, 1, 0", "65, hbl, 2, 0", "0, efa, 1, 0", "65, efa, 1, 8"})
    void allTransfersBothWays(int release, String vendor, int ports, int reorder)
            throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with(
                "--vendors",
                vendor,
                "--devices",
                "2",
                "--ports",
                "" + ports,
                "--reorder",
                "" + reorder,
                "--thread",
                "--strict");
        assertThat((release == 0 ? devices : devices.under(release))
                        .run(SimulatedBulk.class, SECONDS, vendor + "_0", vendor + "_1")
                        .text())
                .contains("bulk ok: ")
                .doesNotContain("device-sim:");
    }

    @Test
    void devicesOfDifferentKeysAreRefused() throws IOException, InterruptedException {
        assertThat(DeviceSim.with("--vendors", "hbl", "--devices", "2", "--thread", "--strict")
                        .run(SimulatedBulk.class, SECONDS, "hbl_0", "hbl_1", "keys")
                        .text())
                .contains("ECONNREFUSED", "one key for both sides", "5, not 6", "open both devices with the same key");
    }
}
