/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.verbs4j.Context;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.compat.built.TestClasses;
import io.verbs4j.core.Verbs;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.RxeProvider;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Hours;
import io.verbs4j.tools.Main;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Proves that the embedded device is Soft-RoCE: it talks to the kernel's rdma_rxe on the wire, under the ping-pong
 * programs of libibverbs, and neither side drops a packet.
 */
@Full
class KernelPeersIT {
    private static final List<String> SERVICES = List.of("rc", "uc", "ud", "srq");

    private static String classPath() {
        return TestClasses.only(
                Main.class,
                Verbs.class,
                Context.class,
                CmConnection.class,
                RxeProvider.class,
                NativeMemory.class,
                Native.class,
                CommandLine.class,
                Histogram.class);
    }

    private static void check(Guest.Result result, List<String> services, List<String> families) {
        List<String> expected = new ArrayList<>();
        for (String service : services) {
            for (String family : families) {
                expected.add("ok " + service + " " + family + ", C program serves");
                expected.add("ok " + service + " " + family + ", verbs4j serves");
            }
        }
        String output = String.join("\n", result.lines());
        List<String> told = result.lines().stream()
                .filter(line -> line.startsWith("ok ") || line.startsWith("not ok "))
                .toList();
        assertThat(told).as(output).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(told.get(i)).as(output).startsWith(expected.get(i));
        }
        assertThat(result.status()).as(output).isZero();
    }

    private static List<String> pingpongs(String... options) {
        List<String> command = new ArrayList<>(List.of(Guest.script("pingpongs"), classPath()));
        command.addAll(List.of(options));
        return command;
    }

    /**
     * Tests each service in both directions, and with both address families in the long form; only some services if the
     * guest is slow.
     */
    @Test
    void pingPongPassesByEveryService() {
        Guest guest = Guest.quickest();
        List<String> services = guest.isSlow() ? List.of("uc", "ud") : SERVICES;
        List<String> families = guest.families("ipv6"); // KernelWireIT covers IPv4
        String[] options = {String.join(" ", services), String.join(" ", families)};
        check(guest.run("wire", 600, pingpongs(options)), services, families);
    }

    /** Uses the distribution's kernel as delivered, and loses packets. */
    @Test
    @Hours
    void pingPongSurvivesLossOnDistributionKernel() {
        check(Guest.qemu().run("wire", 400, pingpongs("rc", "ipv4", "2")), List.of("rc"), List.of("ipv4"));
    }

    /** Checks what the rig itself promises. */
    @Test
    void guestReturnsStatusAndOutputOfCommand() {
        Guest guest = Guest.quickest();

        Guest.Result result = guest.run("pair", 60, List.of("bash", "-c", "rdma link; echo to stderr >&2; exit 7"));
        assertThat(result.status()).isEqualTo(7);
        assertThat(String.join("\n", result.lines())).contains("link rxe0/1 ", "link rxe1/1 ", "to stderr");
        int timeout = guest.isSlow() ? 20 : 6;
        assertThat(guest.runFor("none", timeout, List.of(), List.of("sleep", "1000"))
                        .status())
                .isEqualTo(124);
    }
}
