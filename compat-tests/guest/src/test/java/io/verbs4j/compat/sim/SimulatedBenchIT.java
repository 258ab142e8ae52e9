/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.tools.Main;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code verbs bench -c SRD} on simulated EFAs that reorder, and writes on other devices, between two processes and in
 * one.
 */
@Full
class SimulatedBenchIT {
    private static final int SECONDS = 120;
    private static final int COUNT = 600;

    @TempDir
    Path rendezvous;

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    private static String[] arguments(String... arguments) {
        List<String> all = new ArrayList<>(List.of("bench"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("-c", "SRD", "-d", "efa_0", "--warm-up", "0"));
        return all.toArray(new String[0]);
    }

    private Program.Result bench(String... arguments) throws IOException, InterruptedException {
        return DeviceSim.with("--vendors", "efa", "--thread", "--reorder", "7", "--rendezvous", "" + rendezvous)
                .run(Main.class, SECONDS, arguments(arguments));
    }

    private static String[] brief(String operation, String measure, int size) {
        return new String[] {operation, measure, "-s", "" + size, "-n", "" + COUNT, "--depth", "16"};
    }

    /** Sends and writes are verified where they arrive, reads where they return; latency tests verify on both sides. */
    private static void assertAllVerified(String out, String operation, int size, int sides) {
        int warmUp = COUNT / 10;
        assertThat(out)
                .contains("RDMA " + operation + ", SRD, device efa_0")
                .contains("verified: all " + (long) sides * (COUNT + warmUp) * size
                        + " bytes that arrived; none differed")
                .doesNotContain("lost");
    }

    @ParameterizedTest
    @CsvSource({"send,--bw,1000,1", "send,--lat,1000,2", "read,--bw,70000,1", "read,--lat,1000,1"})
    void operationVerifiesEveryByte(String operation, String measure, int size, int sides) throws Exception {
        assertAllVerified(bench(brief(operation, measure, size)).text(), operation, size, sides);
    }

    /** Older releases have no writes, and a child process would use the installed release. */
    @ParameterizedTest
    @CsvSource({"--bw,70000,1", "--lat,1000,2"})
    void writesInOneProcessVerifyEveryByte(String measure, int size, int sides) throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments(brief("write", measure, size))));
        all.add("--in-process");
        String out = DeviceSim.with("--vendors", "efa", "--thread", "--reorder", "7")
                .under(56)
                .run(Main.class, SECONDS, all.toArray(new String[0]))
                .text();
        assertAllVerified(out, "write", size, sides);
    }

    /** The same on ConnectX, where only the last byte of a message in memory announces it. */
    @Test
    void writesOnConnectXVerifyEveryByte() throws Exception {
        String out = DeviceSim.with("--vendors", "mlx5", "--thread")
                .run(
                        Main.class,
                        SECONDS,
                        ("bench write --lat --in-process -d mlx5_0 --warm-up 0 -s 1000 -n " + COUNT).split(" "))
                .text();
        assertThat(out)
                .contains("RDMA write, RC, device mlx5_0", "bytes that arrived; none differed")
                .doesNotContain("lost");
    }

    /**
     * Two processes post more requests at once than a FIFO of Gaudi takes doorbells. Each has its own card, which can
     * be opened only once.
     */
    @Test
    void writesOnGaudiVerifyEveryByte() throws Exception {
        DeviceSim devices =
                DeviceSim.with("--vendors", "hbl", "--devices", "2", "--thread", "--rendezvous", "" + rendezvous);
        Program.Result client = new TwoPrograms(devices, "bench --server -d hbl_0")
                .against("bench write -d hbl_1 --warm-up 0 -s 1000 --depth 200 -n " + COUNT);
        assertAllVerified(client.text().replace("RC, device hbl_1", "SRD, device efa_0"), "write", 1000, 1);
    }

    /** The error comes before anything is created. */
    @Test
    void operationMissingInReleaseIsReported() throws Exception {
        List<String> lines = DeviceSim.with("--vendors", "efa", "--thread")
                .under(44)
                .run(Main.class, SECONDS, arguments("write", "-s", "70000", "--in-process"))
                .lines();
        assertThat(lines).anyMatch(line -> line.contains("efa_0 has no RDMA_WRITE on queue pairs of type SRD"));
    }

    /** The device limits the length of messages. */
    @Test
    void sizesEndAtDeviceLimit() throws Exception {
        assertThat(bench("send", "--all", "-n", "20").text())
                .containsPattern("(?m)^ +8192 +20 ")
                .doesNotContainPattern("(?m)^ +16384 ");
        assertThat(bench("send", "-s", "8929").lines())
                .anyMatch(line -> line.contains("-s 8929: the longest send over SRD on this device is 8928"));
    }
}
