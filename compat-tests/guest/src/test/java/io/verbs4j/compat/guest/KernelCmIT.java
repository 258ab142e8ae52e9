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
 * The connection manager in Java, on the embedded device, against the kernel's: programs of librdmacm on one end and
 * their Java counterparts on the other, each end serving in turn. Without loss, neither side may repeat a message;
 * after each program, neither side may have anything left.
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

    /** Runs cases: none may fail, and none may be left out. */
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
     * Requires exactly the needed number of messages, or more if programs are emulated: there, an answer may come after
     * the manager has repeated its message.
     */
    private static void assertCount(Guest guest, List<String> lines, String message, long needed) {
        if (guest.isSlow()) {
            assertThat(kernel(lines, message)).as(message).isGreaterThanOrEqualTo(needed);
        } else {
            assertThat(kernel(lines, message)).as(message).isEqualTo(needed);
        }
    }

    /** Opens, uses and closes connections, without one superfluous message of the managers. */
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

    /** Requests datagram queue pairs, and joins groups. */
    @Test
    void datagramsAndGroupsExchangeOnlyNeededMessages() {
        Guest guest = Guest.quickest();
        List<String> families = families(guest, "ipv4");
        List<String> lines = run(guest, 300, "none", families, "udaddy", "mckey");
        for (String message : new String[] {"rx_sidr_req", "rx_sidr_rep", "tx_sidr_req", "tx_sidr_rep"}) {
            assertCount(guest, lines, message, families.size());
        }
    }

    /** {@return the bytes that the script sends} */
    private static String sent(int count) {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < count; i++) {
            hex.append(String.format("%02x", 1 + i % 96));
        }
        return hex.toString();
    }

    /**
     * Sends private data of every length both ways. Each end must see exactly what it sees from the other kind of
     * manager.
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
        connects.add("connect with 2 bytes: REJECTED: 28: 148 bytes"); // accepting with 197 bytes
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

    /** The same for datagrams. */
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

    /** Nobody listens on the port: reason 8. */
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

    /** The link loses 3 % of all packets in each direction. */
    @Test
    void programsSurvivePacketLoss() {
        Guest guest = Guest.quickest();
        List<String> families = guest.families("ipv4");
        run(guest, 600, "drop=0.03,seed=11", families, "rping", "ucmatose");
    }

    /** The link loses so many packets that the managers must repeat messages. */
    @Test
    void managersRepeatLostMessages() {
        Guest guest = Guest.quickest();
        assumeFalse(guest.isSlow(), "it takes minutes on the distribution's kernel: VERBS4J_UML names no quicker one");
        List<String> lines = run(guest, 400, "drop=0.15,seed=5", IPV4, "data", "datagrams");
        assertThat(lines).anyMatch(line -> line.startsWith("kernel: tx_retries_"));
    }

    /** Opens 100 connections, or 1000 in the long form; nothing may be left on either side. */
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
