/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.tools.Main;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code verbs pingpong} between two processes, each with a simulated device. */
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

    /** Nothing but the memory tells of a message: on either vendor's devices, by Java's data path and by the vendor's. */
    @ParameterizedTest
    @CsvSource({"mlx5, rc, java", "mlx5, uc, native", "efa, srd, java", "efa, srd, native"})
    void byWrites(String vendor, String type, String path, @TempDir Path rendezvous) throws Exception {
        DeviceSim.require();
        String out = DeviceSim.with("--vendors", vendor, "--thread", "--rendezvous", "" + rendezvous)
                .under(65)
                .jvm("-Dio.verbs4j." + vendor + ".path=" + path)
                .run(
                        Main.class,
                        SECONDS,
                        "pingpong",
                        type,
                        "--both",
                        "--write",
                        "-d",
                        vendor + "_0",
                        "-n",
                        "300",
                        "-s",
                        "3000",
                        "--warm-up",
                        "0")
                .text();
        assertThat(out)
                .contains(
                        "ping-pong by RDMA write on this machine",
                        "verified: every byte of 600 messages, 1800000 bytes");
    }

    /** It says so before anything is made. */
    @Test
    void whatADeviceDoesNotHaveIsSaidFirst() throws Exception {
        DeviceSim.require();
        Program.Result said = DeviceSim.with("--quiet", "--vendors", "efa")
                .run(Main.class, SECONDS, "pingpong", "rc", "--both", "-d", "efa_0");
        assertThat(said.status()).isNotZero();
        assertThat(said.lines()).anySatisfy(line -> assertThat(line).contains("efa_0 has no queue pairs of type RC"));
    }
}
