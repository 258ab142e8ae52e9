/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.StrictJson;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code verbs bench} between processes and in one process, on the embedded device. */
@Full
@Tag("e2e")
class BenchIT {
    /** Runs a measurement whose accuracy does not matter. */
    private static List<Map<String, Object>> measure(String line) {
        return results(Program.run(line + " --json --warm-up 0"));
    }

    private static List<Map<String, Object>> results(Program program) {
        Map<String, Object> map = StrictJson.object(program.succeeds().out());
        assertThat(map).containsEntry("device", "rxe_emb0");
        return ((List<?>) map.get("results")).stream().map(BenchIT::cast).toList();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Object map) {
        return (Map<String, Object>) map;
    }

    @ParameterizedTest
    @CsvSource({
        "send,rc,--bw,1000",
        "send,uc,--bw,1000",
        "send,ud,--bw,1000",
        "write,rc,--bw,1000",
        "write,uc,--bw,1000",
        "read,rc,--bw,1000",
        "atomic,rc,--bw,8",
        "send,rc,--lat,1000",
        "send,uc,--lat,1000",
        "send,ud,--lat,1000",
        "write,rc,--lat,1000",
        "write,uc,--lat,1000",
        "read,rc,--lat,1000",
        "atomic,rc,--lat,8",
    })
    void operationRunsInTwoProcesses(String operation, String service, String measure, int size) {
        Map<String, Object> result = measure(
                        "bench " + operation + " --qp " + service + " " + measure + " -s " + size + " -n 300 --depth 8")
                .get(0);
        assertThat(result).containsEntry("iterations", 300.0).containsEntry("size", (double) size);
        double lost = (Double) result.get("lost");
        if (service.equals("rc")) {
            assertThat(lost).isZero();
        }
        int sides = measure.equals("--lat") && (operation.equals("send") || operation.equals("write")) ? 2 : 1;
        assertThat((Double) result.get("bytesVerified")).isGreaterThanOrEqualTo(sides * (300 - lost) * size);
        if (measure.equals("--lat")) {
            assertThat((Double) ((Map<?, ?>) result.get("usec")).get("p50")).isPositive();
        } else {
            assertThat((Double) result.get("megabytesPerSecond")).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({"send", "write", "read", "atomic"})
    void operationRunsInOneProcess(String operation) {
        for (String measure : List.of("--bw", "--lat")) {
            Map<String, Object> result = measure("bench " + operation + " " + measure + " -n 300 --in-process")
                    .get(0);
            assertThat(result).containsEntry("iterations", 300.0).containsEntry("lost", 0.0);
        }
    }

    @Test
    void allSizesProduceTableAndPlot(@TempDir Path folder) throws Exception {
        Path svg = folder.resolve("send.svg");
        Program program = Program.run("bench send --all -n 3 -e --warm-up 0 --plot " + svg)
                .succeeds();
        assertThat(program.out())
                .contains("bandwidth of RDMA send, RC, device rxe_emb0\n")
                .contains("    bytes  iterations   MB/s peak    MB/s avg      Mmsg/s\n")
                .containsPattern("(?m)^        2           3 ")
                .containsPattern("(?m)^  8388608           3 ")
                .containsPattern("verified: all \\d+ bytes that arrived; none differed");
        assertThat(program.err()).contains("chart written to " + svg);
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
        assertThat(Files.readString(svg)).contains("Bandwidth of RDMA send, RC, rxe_emb0");
    }

    @Test
    void latencyTableHasPercentilesAndWarmUp() {
        assertThat(Program.run("bench send --lat --duration 0.2").succeeds().out())
                .contains("latency of RDMA send, RC, device rxe_emb0\n")
                .contains("min       p50       p99     p99.9       max  (usec)")
                .containsPattern("(?m)^       64 +\\d+ +\\d+\\.\\d\\d ")
                .containsPattern("(?m)^warm-up: [1-9]\\d* operations in \\d+\\.\\d\\d seconds, not counted$");
    }

    /**
     * The device's times must not add up to more than the JVM's elapsed time: checks units and the width of the
     * counter.
     */
    @ParameterizedTest
    @CsvSource({"send", "read", "atomic"})
    void latencyByDeviceClockIsWithinElapsedTime(String operation) {
        Map<String, Object> map =
                StrictJson.object(Program.run("bench " + operation + " --lat --timestamps -n 300 --json --warm-up 0")
                        .succeeds()
                        .out());
        assertThat(map).containsEntry("clock", "device");
        Map<String, Object> result = cast(((List<?>) map.get("results")).get(0));
        Map<?, ?> usec = (Map<?, ?>) result.get("usec");
        double half = (Double) usec.get("p50") * 150 * (operation.equals("send") ? 2 : 1);
        assertThat(half).isPositive().isLessThanOrEqualTo((Double) result.get("seconds") * 1e6);
    }

    @Test
    void timestampsOfUnsupportedOperationAreRefused() {
        for (String line : List.of("bench write --lat --timestamps", "bench send --timestamps")) {
            Program.run(line).fails(2, "--timestamps works only with --lat and send, read or atomic");
        }
    }

    @Test
    void separateServerAndClientSucceed() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        try (Program server = Program.start("bench --server -p " + port)) {
            server.awaitError("waiting for a client on TCP port " + port);
            results(Program.run("bench read 127.0.0.1 -n 100 --json -p " + port)); // with a warm-up
            server.succeeds();
        }
    }

    /** The server of reads is idle, and must not take the silence for the client's end. */
    @Test
    void measurementMayOutlastTimeout() {
        Program.run("bench read --duration 4 --timeout 2 --warm-up 0").succeeds();
    }

    @Test
    void noVerifyReportsDataNotVerified() {
        assertThat(Program.run("bench write --no-verify -n 500 --warm-up 0")
                        .succeeds()
                        .out())
                .contains("data not verified");
    }

    @Test
    void lossesAreCountedAndOtherDataIsVerified() {
        Map<String, Object> result = measure(
                        "bench send --qp ud -s 1000 -n 2000 -Dio.verbs4j.rxe.faults=drop=0.05,seed=3")
                .get(0);
        assertThat((Double) result.get("lost")).isBetween(1.0, 1500.0);
    }

    @Test
    void serverFailureIsReportedByClient() throws Exception {
        try (Program server = Program.start("bench --server -p 0")) {
            server.awaitError("waiting for a client on TCP port ");
            String port = server.err().strip().replaceAll("(?s).*port ", "");
            Program.run("bench send 127.0.0.1 -g -1 -p " + port).fails(1, "the peer reports: modify_qp: ");
            server.fails(1, "modify_qp: ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"send --all -n 100", "write --lat -n 100", "atomic --in-process -n 100", "send -c ud -n 100"})
    void connectionByAddressSucceeds(String options) {
        assertThat(Program.run("bench " + options + " --cm --warm-up 0.1")
                        .succeeds()
                        .out())
                .contains("none differed");
    }
}
