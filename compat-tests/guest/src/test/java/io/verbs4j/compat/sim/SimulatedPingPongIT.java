/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.tools.Main;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code verbs pingpong} between two processes, each with a simulated device. */
class SimulatedPingPongIT {
    private static final int SECONDS = 120;
    private static final String PLAIN_WRITES = "--write -n 300 -s 3000";
    private static final String WRITES = PLAIN_WRITES + " --warm-up 0";

    @Test
    void srdVerifiesEveryByte(@TempDir Path rendezvous) throws Exception {
        DeviceSim.require();
        String out = DeviceSim.with("--vendors", "efa", "--thread", "--rendezvous", "" + rendezvous)
                .run(Main.class, SECONDS, "pingpong", "srd", "--both", "-d", "efa_0", "-n", "500", "--warm-up", "0")
                .text();
        // 500 messages of 4096 bytes each way, all verified
        assertThat(out).contains("Both sides of an SRD", "verified: every byte of 1000 messages, 4096000 bytes");
    }

    /** Only memory shows that a message arrived; tests the data paths of Java and the vendor. */
    @ParameterizedTest
    @CsvSource({"rc, java", "uc, native"})
    void writesVerifyEveryByte(String type, String path, @TempDir Path rendezvous) throws Exception {
        DeviceSim.require();
        String out = DeviceSim.with("--vendors", "mlx5", "--thread", "--rendezvous", "" + rendezvous)
                .jvm("-Dio.verbs4j.mlx5.path=" + path)
                .run(Main.class, SECONDS, ("pingpong " + type + " --both -d mlx5_0 " + WRITES).split(" "))
                .text();
        assertThat(out)
                .contains(
                        "ping-pong by RDMA write on this machine",
                        "verified: every byte of 600 messages, 1800000 bytes");
    }

    /** EFA has writes only in releases that child processes do not get, so this test starts both processes itself. */
    @ParameterizedTest
    @ValueSource(strings = {"java", "native"})
    @Full
    void writesOfEfaVerifyEveryByte(String path, @TempDir Path rendezvous) throws Exception {
        DeviceSim.require();
        DeviceSim devices = DeviceSim.with("--vendors", "efa", "--thread", "--rendezvous", "" + rendezvous)
                .under(65)
                .jvm("-Dio.verbs4j.efa.path=" + path);
        TwoPrograms two = new TwoPrograms(devices, "pingpong srd -d efa_0 --json " + PLAIN_WRITES);
        Program.Result client = two.against("pingpong srd -d efa_0 --json " + PLAIN_WRITES);
        assertThat(client.text()).contains("\"messagesVerified\": 300", "\"bytesVerified\": 900000");
        assertThat(two.first().text()).contains("\"messagesVerified\": 300");
    }

    /** A Gaudi can be opened only once, so each process has its own. */
    @ParameterizedTest
    @ValueSource(strings = {"upstream", "1.21"})
    @Full
    void writesOfGaudiVerifyEveryByte(String layout, @TempDir Path rendezvous) throws Exception {
        DeviceSim.require();
        DeviceSim devices = DeviceSim.with(
                "--vendors", "hbl", "--devices", "2", "--libhbl", layout, "--thread", "--rendezvous", "" + rendezvous);
        TwoPrograms two = new TwoPrograms(devices, "pingpong rc -d hbl_0 --json " + PLAIN_WRITES);
        Program.Result client = two.against("pingpong rc -d hbl_1 --json " + PLAIN_WRITES);
        assertThat(client.text()).contains("\"messagesVerified\": 300", "\"bytesVerified\": 900000");
        assertThat(two.first().text()).contains("\"messagesVerified\": 300");
    }

    /** On Gaudi, a completion queue belongs to a port, so the port must be passed on when it is created. */
    @Test
    @Full
    void writesOfSecondGaudiPortsVerifyEveryByte(@TempDir Path rendezvous) throws Exception {
        DeviceSim.require();
        DeviceSim devices = DeviceSim.with(
                "--vendors", "hbl", "--devices", "2", "--ports", "2", "--thread", "--rendezvous", "" + rendezvous);
        TwoPrograms two = new TwoPrograms(devices, "pingpong rc -d hbl_0 -i 2 --json " + PLAIN_WRITES);
        Program.Result client = two.against("pingpong rc -d hbl_1 -i 2 --json " + PLAIN_WRITES);
        assertThat(client.text()).contains("\"messagesVerified\": 300");
        assertThat(two.first().text()).contains("\"messagesVerified\": 300");
    }

    @Test
    void infoListsAbilitiesOfGaudi() throws Exception {
        DeviceSim.require();
        DeviceSim devices = DeviceSim.with("--vendors", "hbl", "--ports", "2");
        assertThat(devices.run(Main.class, SECONDS, "info", "--can", "-d", "hbl_0")
                        .text())
                .contains(
                        "operations of RC: RDMA_WRITE\n",
                        "operations of UD: none",
                        "unlike most devices: EXCLUSIVE KEYS_BY_CONNECTION DEVICE_ADDRESSES NO_COMPLETION_EVENTS",
                        "most protection domains: 1\n");
        Program.Result said = devices.run(Main.class, SECONDS, "pingpong", "rc", "-d", "hbl_0");
        assertThat(said.status()).isNotZero();
        assertThat(said.lines()).anySatisfy(line -> assertThat(line).contains("hbl_0 has no SEND", "--write"));
    }

    /** The error comes before anything is created. */
    @Test
    void missingQueuePairTypeIsReportedFirst() throws Exception {
        DeviceSim.require();
        Program.Result said = DeviceSim.with("--quiet", "--vendors", "efa")
                .run(Main.class, SECONDS, "pingpong", "rc", "--both", "-d", "efa_0");
        assertThat(said.status()).isNotZero();
        assertThat(said.lines()).anySatisfy(line -> assertThat(line).contains("efa_0 has no queue pairs of type RC"));
    }
}
