/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.bulk.programs.BulkLossProgram;
import io.verbs4j.compat.bulk.programs.BulkTransfersProgram;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The bulk transport on simulated devices without a connection manager: ConnectX with all operations, Gaudi with only
 * writes, by GID and by wired ports, and EFA with datagrams, also reordered. The first violation of a device's rules
 * ends the program.
 */
@Full
class SimulatedBulkIT {
    private static final int SECONDS = 240;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    /**
     * Release 0 is the installed one. efa0 has only datagrams, efa1 adds READ, and efa3 WRITE; a pair uses what both
     * have.
     */
    @ParameterizedTest
    @CsvSource({
        "0, mlx5, ''",
        "65, mlx5, ''",
        "0, hbl, ''",
        "65, hbl, --ports 2",
        "0, efa, --efa efa0 --reorder 4",
        "0, efa, --efa efa1 --reorder 8",
        "65, efa, --efa efa3 --reorder 8",
        "65, efa, '--efa efa3,efa1 --reorder 8'",
    })
    void allTransfersWorkBothWays(int release, String vendor, String more) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("--vendors", vendor, "--devices", "2", "--thread", "--strict"));
        Collections.addAll(options, more.isEmpty() ? new String[0] : more.split(" ", -1));
        options.add("--no-cm");
        DeviceSim devices = DeviceSim.with(options.toArray(String[]::new));
        assertThat(devices.under(release)
                        .run(BulkTransfersProgram.class, SECONDS, vendor + "_0", vendor + "_1")
                        .text())
                .contains("bulk ok: ")
                .doesNotContain("device-sim:");
    }

    /** Two devices on each side with two ports each: four queue pairs. */
    @ParameterizedTest
    @CsvSource({"0, 1, 2", "65, 2, 4"})
    void longTransfersSpreadOverDevicesAndPorts(int release, String ports, int rails)
            throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with(
                "--vendors", "mlx5", "--devices", "2", "--ports", ports, "--thread", "--strict", "--no-cm");
        assertThat(devices.under(release)
                        .run(BulkTransfersProgram.class, SECONDS, "mlx5_0+mlx5_1", "mlx5_1+mlx5_0")
                        .text())
                .contains("bulk ok: rails " + rails + ",")
                .doesNotContain("device-sim:");
    }

    /** Only PUTs, because Gaudi has no READ. */
    @ParameterizedTest
    @ValueSource(ints = {0, 65})
    void longPutsSpreadOverGaudiDevices(int release) throws IOException, InterruptedException {
        DeviceSim devices = DeviceSim.with("--vendors", "hbl", "--devices", "4", "--thread", "--strict");
        assertThat(devices.under(release)
                        .run(BulkTransfersProgram.class, SECONDS, "hbl_0+hbl_2", "hbl_1+hbl_3")
                        .text())
                .contains("bulk ok: rails 2,")
                .doesNotContain("device-sim:");
    }

    /** The connecting side or the other one loses a device; with rails, and with the same device reopened. */
    @ParameterizedTest
    @CsvSource({
        "0, mlx5_0+mlx5_1, mlx5_2, first, 10 leave 0 1",
        "65, mlx5_0+mlx5_1, mlx5_2, first, 10 leave 0 1",
        "65, mlx5_2, mlx5_0+mlx5_1, second, 10 leave 0 1",
        "0, mlx5_0+mlx5_1, mlx5_2+mlx5_3, first, 10 leave 0 1",
        "65, mlx5_0+mlx5_1, mlx5_2+mlx5_3, second, 10 leave 1 0",
        "65, mlx5_0, mlx5_1, first, 60 reopen 0 0",
        "65, mlx5_0, mlx5_1, second, 60 reopen 0 0",
        "0, mlx5_0, mlx5_1, first, 0 leave 0",
        "65, mlx5_0, mlx5_1, second, 0 leave 0",
    })
    void connectionsSurviveOrEndWithLostDevice(int release, String a, String b, String loser, String losses)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(a, b, loser));
        Collections.addAll(arguments, losses.split(" ", -1));
        DeviceSim devices = DeviceSim.with("--vendors", "mlx5", "--devices", "4", "--thread", "--strict", "--no-cm");
        assertThat(devices.under(release)
                        .run(BulkLossProgram.class, SECONDS, arguments.toArray(String[]::new))
                        .text())
                .contains("loss ok: ")
                .doesNotContain("device-sim:");
    }

    @Test
    void devicesWithDifferentKeysAreRefused() throws IOException, InterruptedException {
        assertThat(DeviceSim.with("--vendors", "hbl", "--devices", "2", "--thread", "--strict")
                        .run(BulkTransfersProgram.class, SECONDS, "hbl_0", "hbl_1", "keys")
                        .text())
                .contains("ECONNREFUSED", "one key for both sides", "5, not 6", "open both devices with the same key");
    }
}
