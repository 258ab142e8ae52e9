/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.verbs4j.testsupport.program.RdmaCore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections by address on devices of the kernel, by the librdmacm of several releases. */
class KernelConnectionsIT {
    private static final int TESTS = 11;
    private static final String CLASS = KernelConnections.class.getName();

    private static List<Outcome> run(Guest guest, String net, int release, String driver, String... tests)
            throws IOException, InterruptedException {
        List<Path> layers =
                release == 0 ? List.of() : List.of(RdmaCore.release(release).resolve("root"));
        List<String> command = new ArrayList<>(List.of(
                "java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-D" + KernelConnections.DRIVER + "=" + driver,
                "-cp",
                Guest.testClassPath(),
                TestsMain.class.getName()));
        command.addAll(List.of(tests));
        Guest.Result result = guest.run(net, 300, layers, command);
        String output = String.join("\n", result.lines());
        List<Outcome> outcomes = Outcome.of(result.lines());
        assertThat(result.status()).as(output).isZero();
        assertThat(Outcome.told(result.lines())).as(output).isEqualTo(outcomes.size());
        assertThat(outcomes).as(output).noneMatch(one -> one.word().equals("fail"));
        return outcomes;
    }

    private static long passed(List<Outcome> outcomes) {
        return outcomes.stream().filter(one -> one.word().equals("pass")).count();
    }

    /** Release 0 is this machine's. */
    @ParameterizedTest
    @ValueSource(ints = {33, 0, 65})
    void betweenTwoOfRxe(int release) throws IOException, InterruptedException {
        Guest guest = Guest.quickest();
        if (guest.isSlow()) {
            String[] few = {
                CLASS + "#connectsSendsWritesDisconnects",
                CLASS + "#datagramsByAddress",
                CLASS + "#nothingOutOfOrderReachesC"
            };
            assertThat(passed(run(guest, "pair", release, "rxe", few))).isEqualTo(few.length);
            return;
        }
        assertThat(passed(run(guest, "pair", release, "rxe", CLASS))).isEqualTo(TESTS);
    }

    /** iWARP, whose queue pairs nobody can connect but a connection manager. */
    @Test
    void betweenTwoOfSiw() throws IOException, InterruptedException {
        Guest guest = Guest.quickest();
        assumeFalse(guest.isSlow(), "the distribution's kernels have no siw: VERBS4J_UML names no other");
        List<Outcome> outcomes = run(guest, "siw", 0, "siw", CLASS);
        assertThat(outcomes).hasSize(TESTS);
        // No datagrams, no groups, and no queue pairs of the program's own.
        assertThat(passed(outcomes)).isEqualTo(TESTS - 3);
    }
}
