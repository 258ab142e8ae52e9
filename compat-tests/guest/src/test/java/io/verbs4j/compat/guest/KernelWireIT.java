/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.verbs4j.compat.built.TestClasses;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.RdmaCore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The same Java program on the kernel's device, through libibverbs, and on the embedded one: every opcode, as requester
 * and as responder, over IPv4 and IPv6, with every byte checked.
 */
@Full
class KernelWireIT {
    /** MiB each way; 1024 takes some two minutes. */
    private static final int BULK = Integer.getInteger("verbs4j.guest.bulk", 48);

    /** What the program on the wire prints besides cases: both ways, and what was refused. */
    private static final int PACKET_LINES = 3;

    private static Guest.Result run(Guest guest, int timeout, String... arguments) {
        List<String> command = new ArrayList<>(List.of(Guest.script("wire"), TestClasses.path()));
        command.addAll(List.of(arguments));
        Guest.Result result = guest.run("wire", timeout, command);
        String output = String.join("\n", result.lines());
        assertThat(result.status()).as(output).isZero();
        assertThat(Outcome.of(result.lines()))
                .as(output)
                .allMatch(one -> one.word().equals("pass"));
        return result;
    }

    private static void ran(Guest.Result result, int cases, int packetLines) {
        List<Outcome> outcomes = Outcome.of(result.lines());
        assertThat(Outcome.told(result.lines())).isEqualTo(cases).isEqualTo(outcomes.size() - packetLines);
    }

    /** The other side must accept every packet sent; it checks the ICRC first. */
    @Test
    void everyOpcodeArrives() {
        Guest guest = Guest.quickest();
        if (guest.isSlow()) {
            ran(run(guest, 300, "0", "ipv6", "few"), 86, PACKET_LINES);
        } else {
            ran(run(guest, 180, "0"), 612, PACKET_LINES);
        }
    }

    /** Tests windows of type 2 and invalidated keys, with each end in turn owning the memory. */
    @Test
    void windowsGrantAndRevokeAccess() {
        ran(run(Guest.quickest(), 180, "0", "ipv4 ipv6", "windows"), 20, PACKET_LINES);
    }

    /**
     * Runs atomic writes and flushes, built by librxe on the kernel's end. The kernel drops the first flush of a
     * connection because of its ICRC, and everything after it, so this test does not count packets.
     */
    @Test
    void atomicWritesAndFlushesAreAnswered() throws IOException, InterruptedException {
        Guest guest = Guest.quickest();
        assumeFalse(guest.isSlow(), "the distribution's kernel has neither: VERBS4J_UML names no newer one");
        List<String> command = List.of(Guest.script("wire"), TestClasses.path(), "0", "ipv4 ipv6", "answered");
        Guest.Result result =
                guest.run("wire", 180, List.of(RdmaCore.release(65).resolve("root")), command);
        assertThat(result.status()).as(String.join("\n", result.lines())).isZero();
        assertThat(Outcome.of(result.lines()).stream()
                        .filter(one -> !one.where().equals("PACKETS")))
                .as(String.join("\n", result.lines()))
                .hasSize(20)
                .allMatch(one -> one.word().equals("pass"));
    }

    /** Each round consists of a WRITE, a SEND and a READ. */
    @Test
    void muchDataArrives() {
        Guest guest = Guest.quickest();
        int mib = guest.isSlow() ? 1 : BULK;
        Guest.Result result = run(guest, 120 + mib, "0", "ipv4", "bulk=" + mib);
        ran(result, 2, PACKET_LINES);
        Outcome.of(result.lines()).forEach(one -> System.out.println(one.name() + ": " + one.said()));
    }

    /**
     * The kernel loses the packets (in the long form, the distribution's), or the embedded device if the kernel cannot.
     */
    @Test
    void reliableOpcodesSurviveLoss() {
        Guest guest = Guest.FULL ? Guest.qemu() : Guest.quickest();
        Guest.Result result = run(guest, 300, "3", "ipv4", "few");
        ran(result, 86, 1);
        assertThat(result.lines())
                .as("both sides have retransmitted")
                .anyMatch(line -> line.startsWith("embedded\tgo_backs\t"))
                .anyMatch(line -> line.startsWith("kernel\tcompleter_retry_err\t"));
    }
}
