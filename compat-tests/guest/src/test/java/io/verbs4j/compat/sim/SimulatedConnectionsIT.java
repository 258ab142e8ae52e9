/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.compat.guest.KernelConnections;
import io.verbs4j.compat.guest.TestsMain;
import io.verbs4j.compat.guest.cm.CmMain;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections by address on a simulated ConnectX, through the unmodified librdmacm: the tests that run on the guest's
 * kernel, and C programs as peers.
 */
class SimulatedConnectionsIT {
    private static final int SECONDS = 240;
    private static final int TESTS = 16;
    private static final String ADDRESS = "192.0.2.1";
    private static final String[] SHORT = {
        "connectsSendsWritesDisconnects", "datagramsArriveByAddress", "rejectionNamesSideAndReason"
    };

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeAll
    static void makeTheSimulator() throws IOException, InterruptedException {
        DeviceSim.require();
    }

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    /** Release 0 is the installed one. */
    private static DeviceSim devices(int release, String... options) throws IOException, InterruptedException {
        DeviceSim all = DeviceSim.with(options)
                .jvm("-D" + KernelConnections.DRIVER + "=mlx5_")
                .jvm("-D" + KernelConnections.ADDRESSES + "=" + ADDRESS + ",192.0.2.5");
        return all.under(release);
    }

    private static void pass(int release, int count, String... tests) throws IOException, InterruptedException {
        Program.Result result = devices(release, "--thread", "--devices", "2").run(TestsMain.class, SECONDS, tests);
        assertThat(result.lines().stream().filter(line -> line.startsWith("pass\t")))
                .as(result.text())
                .hasSize(count);
        assertThat(result.text()).doesNotContain("device-sim: violation");
    }

    private static String[] named(String... methods) {
        return List.of(methods).stream()
                .map(method -> KernelConnections.class.getName() + "#" + method)
                .toArray(String[]::new);
    }

    @Test
    void shortSuitePasses() throws IOException, InterruptedException {
        pass(0, SHORT.length, named(SHORT));
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 0, 56, 65})
    @Full
    void fullSuitePasses(int release) throws IOException, InterruptedException {
        pass(release, TESTS, KernelConnections.class.getName());
    }

    // ---- programs of librdmacm

    private static List<String> peer(String program, boolean serves) {
        List<String> command = new ArrayList<>(List.of(program));
        switch (program) {
            case "rping" ->
                command.addAll(
                        serves
                                ? List.of("-s", "-C", "5", "-S", "64")
                                : List.of("-c", "-C", "5", "-S", "64", "-a", ADDRESS));
            case "ucmatose", "udaddy" -> command.addAll(serves ? List.of() : List.of("-s", ADDRESS));
            default -> throw new IllegalArgumentException(program);
        }
        return command;
    }

    private static String[] arguments(String program, boolean serves) {
        List<String> all = new ArrayList<>(
                List.of("mlx5_0", program, serves ? "serve" : "connect", ADDRESS, serves ? "0.0.0.0" : ADDRESS));
        all.add(program.equals("ucmatose") ? "7471" : "7174");
        all.addAll(
                switch (program) {
                    case "rping" -> List.of("5", "64");
                    case "ucmatose" -> List.of("1");
                    default -> List.of();
                });
        return all.toArray(new String[0]);
    }

    /** Java and C run in two processes, each serving in turn. A client that finds no listener yet tries again. */
    @ParameterizedTest
    @CsvSource({"rping, true", "rping, false", "ucmatose, true", "ucmatose, false", "udaddy, true", "udaddy, false"})
    void programsOfLibrdmacmConnectWithJava(String program, boolean javaServes, @TempDir Path rendezvous)
            throws Exception {
        assumeTrue(Program.isOnPath(program), "no rdmacm-utils here: .ci/run installs it");
        DeviceSim devices = devices(0, "--thread", "--rendezvous", rendezvous.toString());
        CompletableFuture<Program.Result> server = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                server.complete(
                        javaServes
                                ? devices.run(CmMain.class, SECONDS, arguments(program, true))
                                : devices.run(peer(program, true), SECONDS));
            } catch (IOException | InterruptedException e) {
                server.completeExceptionally(e);
            }
        });
        Program.Result client;
        do { // until the server listens
            client = javaServes
                    ? devices.run(peer(program, false), SECONDS)
                    : devices.run(CmMain.class, SECONDS, arguments(program, false));
        } while (client.status() != 0 && !server.isDone());
        Program.Result served = server.get(SECONDS, TimeUnit.SECONDS);
        assertThat(client.status()).as(client.text()).isZero();
        assertThat(served.status()).as(served.text()).isZero();
        assertThat((javaServes ? served : client).text()).contains("done");
        assertThat(client.text() + served.text()).doesNotContain("device-sim: violation");
    }
}
