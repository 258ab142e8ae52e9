/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.verbs4j.testsupport.Full;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The connection manager in Java, on the embedded device, with the kernel's: the programs of librdmacm on the one end and the same in Java on the other, each
 * end in turn as the one that serves. Where nothing is lost neither side may send anything twice; after each program nothing may be left on either.
 */
@Full
class KernelCmIT {
    private static final List<String> IPV4 = CmPrograms.IPV4;

    @TempDir
    Path scratch;

    private Path program;

    @BeforeEach
    void compile() {
        program = CmPrograms.compile(scratch);
    }

    /** Runs cases; all must be well, and none left out. */
    private List<String> run(Guest guest, int timeout, String faults, List<String> families, String... cases) {
        return CmPrograms.run(guest, "wire", program, timeout, faults, families, cases);
    }

    private static List<String> families(Guest guest, String one) {
        return guest.isSlow() ? IPV4 : guest.families(one);
    }

    private static long kernel(List<String> lines, String counter) {
        return lines.stream()
                .filter(line -> line.startsWith("kernel: " + counter + " "))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /**
     * As many messages as needed; where programs are emulated, an answer may come after the manager has repeated its
     * message.
     */
    private static void assertCount(Guest guest, List<String> lines, String message, long needed) {
        if (guest.isSlow()) {
            assertThat(kernel(lines, message)).as(message).isGreaterThanOrEqualTo(needed);
        } else {
            assertThat(kernel(lines, message)).as(message).isEqualTo(needed);
        }
    }

    /** Connections, their messages, their ends: with not one message of the managers too many. */
    @Test
    void connectionsExchangeOnlyNeededMessages() {
        Guest guest = Guest.quickest();
        List<String> families = families(guest, "ipv6");
        String[] cases = guest.isSlow() ? new String[] {"rping"} : new String[] {"rping", "ucmatose", "rdma"};
        List<String> lines = run(guest, 300, "none", families, cases);
        int ucmatose = guest.isSlow() ? 0 : 3;
        int rdma = guest.isSlow() ? 0 : 1;
        long each = families.size() * (1L + ucmatose + rdma);
        for (String way : new String[] {"rx", "tx"}) {
            for (String message : new String[] {"req", "rep", "rtu"}) {
                assertCount(guest, lines, way + "_" + message, each);
            }
        }
        if (!guest.isSlow()) {
            assertThat(lines)
                    .noneMatch(line -> line.startsWith("kernel: tx_retries") || line.startsWith("kernel: rx_dup"));
        }
    }

    /** Queue pairs that were asked for, and groups. */
    @Test
    void datagramsAndGroupsExchangeOnlyNeededMessages() {
        Guest guest = Guest.quickest();
        List<String> families = families(guest, "ipv4");
        List<String> lines = run(guest, 300, "none", families, "udaddy", "mckey");
        for (String message : new String[] {"rx_sidr_req", "rx_sidr_rep", "tx_sidr_req", "tx_sidr_rep"}) {
            assertCount(guest, lines, message, families.size());
        }
    }

    /** The bytes that the script sends. */
    private static String sent(int count) {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < count; i++) {
            hex.append(String.format("%02x", 1 + i % 96));
        }
        return hex.toString();
    }

    /**
     * Private data of every length there and back, as a program sees it: each end is told what it is told by the other kind of manager, word by word.
     */
    @Test
    void privateDataArrivesWhole() {
        Guest guest = Guest.quickest();
        List<String> families = families(guest, "ipv4");
        List<String> connects = new ArrayList<>();
        List<String> requests = new ArrayList<>();
        for (int length : new int[] {0, 1, 55, 56}) {
            connects.add("connect with " + length + " bytes: ESTABLISHED: 0: 196 bytes");
            requests.add(("request: 56 bytes " + sent(length)).stripTrailing());
        }
        connects.add("connect with 57 bytes: Invalid argument");
        connects.add("connect with 2 bytes: ESTABLISHED: 0: 196 bytes 5a");
        connects.add("connect with 2 bytes: ESTABLISHED: 0: 196 bytes " + "5a".repeat(196));
        connects.add("connect with 2 bytes: REJECTED: 28: 148 bytes"); // 197 bytes to accept with
        connects.add("connect with 2 bytes: REJECTED: 28: 148 bytes " + "5a".repeat(148));
        requests.addAll(List.of("request: 56 bytes 6101", "request: 56 bytes 61c4", "request: 56 bytes 61c5"));
        requests.add("request: 56 bytes 7294");
        List<String> lines = run(guest, 300, "none", families, "data");
        for (String who : new String[] {"ours: ", "theirs: "}) {
            assertThat(CmPrograms.said(lines, who, "connect ")).isEqualTo(times(connects, families));
            assertThat(CmPrograms.said(lines, who, "request: ")).isEqualTo(times(requests, families));
            assertThat(CmPrograms.said(lines, who, "accept: "))
                    .isEqualTo(times(List.of("accept: Invalid argument"), families));
            assertThat(CmPrograms.said(lines, who, "DISCONNECTED: 0")).hasSize(6 * families.size());
        }
    }

    /** The same of datagrams. */
    @Test
    void privateDataOfDatagramsArrivesWhole() {
        Guest guest = Guest.quickest();
        List<String> families = families(guest, "ipv6");
        List<String> connects = List.of(
                "connect with 0 bytes: ESTABLISHED: 0: 136 bytes",
                "connect with 180 bytes: ESTABLISHED: 0: 136 bytes",
                "connect with 181 bytes: Invalid argument",
                "connect with 2 bytes: ESTABLISHED: 0: 136 bytes " + "5a".repeat(136),
                "connect with 2 bytes: UNREACHABLE: 2: 136 bytes " + "5a".repeat(16));
        List<String> requests = List.of(
                "request: 180 bytes",
                "request: 180 bytes " + sent(180),
                "request: 180 bytes 6188",
                "request: 180 bytes 7210");
        List<String> lines = run(guest, 300, "none", families, "datagrams");
        for (String who : new String[] {"ours: ", "theirs: "}) {
            assertThat(CmPrograms.said(lines, who, "connect ")).isEqualTo(times(connects, families));
            assertThat(CmPrograms.said(lines, who, "request: ")).isEqualTo(times(requests, families));
        }
    }

    private static List<String> times(List<String> one, List<String> families) {
        return families.stream().flatMap(family -> one.stream()).toList();
    }

    /** A port that nobody listens on: reason 8. */
    @Test
    void connectingToUnusedPortIsRejected() {
        Guest guest = Guest.quickest();
        List<String> families = families(guest, "ipv6");
        List<String> lines = run(guest, 300, "none", families, "refused");
        String line = "connect with 1 bytes: REJECTED: 8: 148 bytes";
        assertThat(CmPrograms.said(lines, "ours: ", "connect ")).isEqualTo(times(List.of(line), families));
        assertThat(CmPrograms.said(lines, "theirs: ", "connect "))
                .isEqualTo(times(List.of(line, "connect with 1 bytes: ESTABLISHED: 0: 196 bytes"), families));
    }

    /** A link that loses 3 % of the packets either way, messages of the managers and others. */
    @Test
    void programsSurvivePacketLoss() {
        Guest guest = Guest.quickest();
        List<String> families = guest.families("ipv4");
        run(guest, 600, "drop=0.03,seed=11", families, "rping", "ucmatose");
    }

    /** A link that loses so many that the managers have to repeat. */
    @Test
    void managersRepeatLostMessages() {
        Guest guest = Guest.quickest();
        assumeFalse(guest.isSlow(), "it takes minutes on the distribution's kernel: VERBS4J_UML names no quicker one");
        List<String> lines = run(guest, 400, "drop=0.15,seed=5", IPV4, "data", "datagrams");
        assertThat(lines).anyMatch(line -> line.startsWith("kernel: tx_retries_"));
    }

    /** Nothing is left, on either side, of a hundred, or of a thousand in the long form. */
    @Test
    void manyConnectionsLeaveNothingBehind() {
        Guest guest = Guest.quickest();
        assumeFalse(guest.isSlow(), "it takes minutes on the distribution's kernel: VERBS4J_UML names no quicker one");
        String many = Guest.FULL ? "1000" : "100";
        List<String> lines = run(guest, 400, "none", IPV4, "churn" + many);
        assertThat(lines.stream().filter(line -> line.contains(": " + many + " connections, ")))
                .hasSize(2);
        lines.stream().filter(line -> line.contains(" connections, ")).forEach(System.out::println);
    }
}
