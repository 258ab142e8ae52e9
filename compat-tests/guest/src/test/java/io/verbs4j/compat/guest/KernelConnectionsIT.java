/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.verbs4j.compat.built.TestClasses;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.RdmaCore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections by address on the kernel's devices, through librdmacm of several releases. */
@Full
class KernelConnectionsIT {
    private static final int TESTS = 16;
    private static final String CLASS = KernelConnections.class.getName();

    private static List<Outcome> run(Guest guest, String net, int release, String driver, String... tests)
            throws IOException, InterruptedException {
        List<Path> layers =
                release == 0 ? List.of() : List.of(RdmaCore.release(release).resolve("root"));
        List<String> command = Guest.java(
                "-D" + KernelConnections.DRIVER + "=" + driver, "-Dverbs4j.test.patience=3", TestsMain.class.getName());
        command.addAll(List.of(tests));
        Guest.Result result = guest.run(net, 300, layers, command);
        String output = String.join("\n", result.lines());
        List<Outcome> outcomes = Outcome.of(result.lines());
        assertThat(result.status()).as(output).isZero();
        assertThat(Outcome.told(result.lines())).as(output).isEqualTo(outcomes.size());
        assertThat(outcomes).as(output).noneMatch(one -> one.word().equals("fail") && !SiwRules.isOfKit(one));
        return outcomes;
    }

    private static long passed(List<Outcome> outcomes) {
        return outcomes.stream().filter(one -> one.word().equals("pass")).count();
    }

    /**
     * {@return the oldest and the newest release, or all in the long form. The other tests use release 0, the installed
     * one}
     */
    private static List<Integer> releases() {
        return Guest.FULL ? List.of(33, 0, 56, 65) : List.of(33, 65);
    }

    @ParameterizedTest
    @MethodSource("releases")
    void testsPassBetweenRxeDevices(int release) throws IOException, InterruptedException {
        Guest guest = Guest.quickest();
        if (guest.isSlow()) {
            String[] few = {
                CLASS + "#connectsSendsWritesDisconnects",
                CLASS + "#datagramsArriveByAddress",
                CLASS + "#callsOutOfOrderNeverReachC"
            };
            assertThat(passed(run(guest, "pair", release, "rxe", few))).isEqualTo(few.length);
            return;
        }
        int without = release == 33 ? 1 : 0; // its driver has no windows
        assertThat(passed(run(guest, "pair", release, "rxe", CLASS))).isEqualTo(TESTS - without);
    }

    private static Guest guestWithSiw() {
        Guest guest = Guest.quickest();
        assumeFalse(guest.isSlow(), "the distribution's kernels have no siw: VERBS4J_UML names no other");
        return guest;
    }

    /** Tests iWARP, whose queue pairs only a connection manager can connect, and runs the rules of the kit on it. */
    @Test
    void testsAndRulesPassBetweenSiwDevices() throws IOException, InterruptedException {
        List<Outcome> outcomes = run(guestWithSiw(), "siw", 0, "siw", CLASS, KernelSiwKit.class.getName());
        List<Outcome> connections =
                outcomes.stream().filter(one -> !SiwRules.isOfKit(one)).toList();
        assertThat(connections).hasSize(TESTS);
        // siw lacks datagrams, groups, windows, queue pairs of the program, and messages that wait for a receive.
        assertThat(passed(connections)).isEqualTo(TESTS - 5);
        List<Outcome> rules = outcomes.stream().filter(SiwRules::isOfKit).toList();
        assertThat(SiwRules.problems(rules)).isEmpty();
        assertThat(passed(rules)).isGreaterThanOrEqualTo(70);
    }

    /** On siw, libibverbs alone refuses in the same way what rules R2.14 and R2.20 found refused. */
    @Test
    void libibverbsRefusesWhatSiwLacks(@TempDir Path scratch) {
        Guest guest = guestWithSiw();
        String program = scratch.resolve("siw").toString();
        Guest.compile(List.of("gcc", "-O1", "-Wall", "-Werror", "-o", program, Guest.script("siw.c"), "-libverbs"));
        assertThat(guest.run("siw", 60, List.of(program)).lines())
                .containsExactly(
                        "R2.14\tmax_mw 0, alloc_mw: EOPNOTSUPP, bind_mw: EOPNOTSUPP",
                        "R2.20\tcreate_qp_ex for BIND_MW: EOPNOTSUPP, for SEND: EOPNOTSUPP");
    }

    /**
     * Programs of librdmacm on one device connect to their Java counterparts on the other, each end serving in turn.
     * The kernel must have nothing left.
     */
    @Test
    void programsOfLibrdmacmConnectWithJava(@TempDir Path scratch) {
        Guest guest = Guest.quickest();
        Path program = CmPrograms.compile(scratch);
        // IPv6 between two devices in one namespace uses the loopback interface, which rdma_rxe does not support.
        if (guest.isSlow()) {
            CmPrograms.run(guest, "pair", program, 300, "none", CmPrograms.IPV4, "rping");
            return;
        }
        String[] cases = Guest.FULL
                ? new String[] {"rping", "ucmatose", "udaddy", "mckey", "data", "datagrams", "churn100"}
                : new String[] {"rping", "udaddy", "data", "datagrams"};
        List<String> lines = CmPrograms.run(guest, "pair", program, 400, "none", CmPrograms.IPV4, cases);
        // The kernel's manager reports the same to C and to Java.
        for (String what : List.of("connect with 5", "connect with 18", "request: 56", "request: 180", "accept: ")) {
            assertThat(CmPrograms.said(lines, "ours: ", what))
                    .as(what)
                    .isNotEmpty()
                    .isEqualTo(CmPrograms.said(lines, "theirs: ", what));
        }
    }

    /** The same on iWARP, as far as the client speaks first; also runs the tools. */
    @Test
    void programsAndToolsWorkOnSiw(@TempDir Path scratch) {
        Guest guest = guestWithSiw();
        Path program = CmPrograms.compile(scratch);
        CmPrograms.run(guest, "siw", program, 400, "none", guest.families("ipv6"), "rping", "churn100");
        Guest.Result tools = guest.run("siw", 200, List.of(Guest.script("cmtools"), TestClasses.path()));
        String output = String.join("\n", tools.lines());
        assertThat(tools.lines()).as(output).containsExactly("ok pingpong", "ok bench write", "ok bench read");
        assertThat(tools.status()).as(output).isZero();
    }
}
