/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.StrictJson;
import io.verbs4j.tools.base.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code verbs pingpong} between processes, on the embedded device. */
@Tag("e2e")
class PingPongIT {
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void pingPongWithoutArgumentsRunsBothSidesOfRc() {
        String out = Program.run("pingpong").succeeds().out();
        assertThat(out)
                .contains("Both sides of an RC ping-pong on this machine: 1000 messages of 4096 bytes each way.")
                .containsPattern("client  pid \\d+ +rxe_emb0 port 1  GID ::ffff:127\\.")
                .containsPattern("server  pid \\d+ +rxe_emb0 port 1  GID ::ffff:127\\.")
                .containsPattern("8192000 bytes in [0-9.]+ seconds = [0-9.]+ Mbit/sec")
                .containsPattern("1000 iters in [0-9.]+ seconds = [0-9.]+ usec/iter")
                .contains("round trip: min ")
                .containsPattern("warm-up: [1-9]\\d* messages each way in [3-9]\\d*\\.\\d\\d seconds, not counted\n")
                .containsPattern("verified: every byte of \\d+ messages \\(warm-up included\\), \\d+ bytes ");
    }

    @Test
    @Full
    void everyMessageCountsWithoutWarmUp() {
        assertThat(Program.run("pingpong --warm-up 0").succeeds().out())
                .doesNotContain("warm-up")
                .contains("verified: every byte of 2000 messages, 8192000 bytes (client 4096000, server 4096000)");
    }

    /** The results cover the requested number of messages; the verified bytes also include the warm-up. */
    @Test
    void warmUpIsReportedButNotCounted() {
        Map<String, Object> map = StrictJson.object(Program.run("pingpong -n 300 -s 100 --warm-up 0.5 --json")
                .succeeds()
                .out());
        double warmUp = (Double) map.get("warmUpMessages");
        assertThat(warmUp).isPositive();
        assertThat((Double) map.get("warmUpSeconds")).isGreaterThanOrEqualTo(0.5);
        assertThat(map)
                .containsEntry("iterations", 300.0)
                .containsEntry("bytes", 60000.0)
                .containsEntry("messagesVerified", 2 * (300 + warmUp))
                .containsEntry("bytesVerified", 200 * (300 + warmUp));
    }

    @ParameterizedTest
    @CsvSource({
        "rc,-n 50 -s 1",
        "rc,-n 20 -s 100000 -m 4096",
        "rc,-n 50 -e",
        "rc,-n 50 -c -s 9000",
        "rc,-n 50 -r 2 -m 256 -l 3",
        "uc,-n 50",
        "uc,-n 50 -e -s 5000",
        "ud,-n 50",
        "ud,-n 50 -s 4096 -c",
        "srq,-n 200",
        "srq,-n 200 -q 3 -r 4 -e",
        "srq,-n 50 -q 1 -c",
        "rc,-n 50 --write",
        "rc,-n 50 --write -s 1",
        "uc,-n 20 --write -s 100000",
        "rc,-n 50 --cm",
        "rc,-n 50 --cm --write",
        "ud,-n 50 --cm",
        "srq,-n 50 --cm -q 3",
    })
    @Full
    void bothSidesVerifyDataWithEachOption(String type, String options) {
        String out = Program.run("pingpong " + type + " --both --json --warm-up 0.1 " + options)
                .succeeds()
                .out();
        Map<String, Object> map = StrictJson.object(out);
        assertThat(map)
                .containsEntry("type", type)
                .containsEntry("mode", "both")
                .containsEntry("peer", "verbs4j");
        double messages = (Double) map.get("messagesVerified");
        assertThat(messages).isGreaterThanOrEqualTo(2 * (Double) map.get("iterations"));
        assertThat(map.get("bytesVerified")).isEqualTo(messages * (Double) map.get("size"));
        assertThat(map.get("clientPid")).isNotEqualTo(map.get("serverPid"));
        assertThat(((Map<?, ?>) map.get("roundTripUsec")).get("p50")).isInstanceOf(Double.class);
    }

    @Test
    void separateProgramsVerifyWrites() throws Exception {
        int port = freePort();
        try (Program server = Program.start("pingpong rc --write -s 300 -p " + port + " -n 100")) {
            server.awaitError("waiting for a client on TCP port " + port);
            Program client = Program.run("pingpong rc --write -s 300 -n 100 --json -p " + port + " 127.0.0.1")
                    .succeeds();
            server.succeeds();
            assertThat(StrictJson.object(client.out()))
                    .containsEntry("messagesVerified", 100.0)
                    .containsEntry("bytesVerified", 30000.0);
        }
    }

    @ParameterizedTest
    @CsvSource({"ud --write,--write is for rc", "rc --write -e,leave out -c", "rc --write -r 5,leave out -c"})
    void unsupportedWriteOptionsAreRefused(String options, String words) {
        Program.run("pingpong " + options).fails(ExitCode.USAGE, words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "uc", "ud", "srq"})
    @Full
    void separateProgramsPrintLinesOfCPrograms(String type) throws Exception {
        int port = freePort();
        try (Program server = Program.start("pingpong " + type + " -p " + port + " -n 100")) {
            server.awaitError("waiting for a client on TCP port " + port);
            Program client = Program.run("pingpong " + type + " -p " + port + " -n 100 127.0.0.1")
                    .succeeds();
            server.succeeds();
            for (Program side : List.of(client, server)) {
                assertThat(side.out())
                        .containsPattern("(?m)^  local address:  LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}")
                        .containsPattern(
                                "(?m)^  remote address: LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}, GID ::ff")
                        .containsPattern("(?m)^\\d+ bytes in [0-9.]+ seconds = [0-9.]+ Mbit/sec$")
                        .containsPattern("(?m)^100 iters in [0-9.]+ seconds = [0-9.]+ usec/iter$");
            }
            assertThat(addresses(client, "remote")).isEqualTo(addresses(server, "local"));
            assertThat(addresses(server, "remote")).isEqualTo(addresses(client, "local"));
        }
    }

    /** Returns the queue pairs, sequence numbers and GIDs printed by a side. */
    private static List<String> addresses(Program side, String which) {
        return Pattern.compile("(?m)^  " + which + " address: +(.*)$")
                .matcher(side.out())
                .results()
                .map(m -> m.group(1).replace(": GID", ", GID"))
                .toList();
    }

    @Test
    @Full
    void differentMessageSizesFailBothSides() throws Exception {
        int port = freePort();
        try (Program server = Program.start("pingpong rc -p " + port + " -s 4096")) {
            server.awaitError("waiting");
            Program client = Program.run("pingpong rc 127.0.0.1 -p " + port + " -s 100");
            client.fails(ExitCode.FAILED, "verbs: ");
            server.fails(ExitCode.FAILED, "a message of 100 bytes arrived where one of 4096 was expected");
        }
    }

    @Test
    @Full
    void killedPeerFailsOtherSide() throws Exception {
        int port = freePort();
        try (Program server = Program.start("pingpong rc -n 100000000 -p " + port);
                Program client = startWhenReady(server, "pingpong rc 127.0.0.1 -n 100000000 -p " + port)) {
            while (!client.out().contains("remote address")) {
                Thread.sleep(10);
            }
            Thread.sleep(500);
            server.process().destroyForcibly();
            client.fails(ExitCode.FAILED, "verbs: ");
        }
    }

    private static Program startWhenReady(Program server, String line) throws InterruptedException {
        server.awaitError("waiting");
        return Program.start(line);
    }

    @Test
    void secondProcessEndsWithFirst() throws Exception {
        try (Program both = Program.start("pingpong -n 100000000")) {
            while (!both.out().contains("server  pid")) {
                assertThat(both.process().isAlive()).as(both::toString).isTrue();
                Thread.sleep(10);
            }
            List<ProcessHandle> children = both.process().children().toList();
            assertThat(children).hasSize(1);
            both.process().destroyForcibly();
            for (int i = 0; i < 1000 && children.get(0).isAlive(); i++) {
                Thread.sleep(10);
            }
            assertThat(children.get(0).isAlive()).isFalse();
        }
    }

    @Test
    void serverWithoutClientTimesOut() {
        Program.run("pingpong rc --timeout 1 -p 0").fails(ExitCode.FAILED, "within 1 s");
    }

    @Test
    @Full
    void lostPacketsAreRetransmitted() {
        Program.run("pingpong -n 200 --warm-up 0 -Dio.verbs4j.rxe.faults=drop=0.02,seed=7")
                .succeeds();
    }

    @Test
    @Full
    void lossOnUnreliableServiceFailsWithinTimeout() {
        Program.run("pingpong uc --both -n 5000 --timeout 2 -Dio.verbs4j.rxe.faults=drop=0.2,seed=7")
                .fails(ExitCode.FAILED, "uc does not retransmit lost messages; rc does");
    }

    @Test
    void packetsAreRecorded(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("a.pcap");
        Program.run("pingpong -n 20 --warm-up 0 --pcap " + file).succeeds();
        assertThat(Files.size(file)).isGreaterThan(2 * 20 * 4096);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "ud"})
    @Full
    void connectionByAddressSucceeds(String type) throws Exception {
        try (Program server = Program.start("pingpong " + type + " --cm -p 0 -n 100")) {
            server.awaitError(" of rxe_emb0");
            String port = server.err().replaceAll("(?s).*on port (\\d+) of.*", "$1");
            Program client = Program.run("pingpong " + type + " localhost --cm -n 100 -p " + port)
                    .succeeds();
            server.succeeds();
            assertThat(client.out()).containsPattern("(?m)^100 iters in ");
            assertThat(gids(client, "remote")).isEqualTo(gids(server, "local")).isNotEmpty();
            assertThat(gids(server, "remote")).isEqualTo(gids(client, "local"));
        }
    }

    private static List<String> gids(Program side, String which) {
        return addresses(side, which).stream()
                .map(a -> a.replaceAll(".*(QPN 0x[0-9a-f]+).*(GID .*)", "$1 $2"))
                .toList();
    }
}
