/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Checkout;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.testsupport.program.ProgramOfSources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The all-reduce of {@code examples/collective} on four simulated Gaudis, and on the embedded device. */
@Full
class CollectiveIT {
    private static final int SECONDS = 120;
    private static final int RANKS = 4;
    private static final String MAIN = "com.example.collective.AllReduce";

    @TempDir
    private Path folder;

    private String[] program(String... arguments) {
        List<String> all =
                new ArrayList<>(List.of("" + Checkout.path("examples/collective/src/main/java"), "" + folder, MAIN));
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }

    /** Ports 2 to 4 lead to the other devices; port 1 is wired. */
    private String onGaudis(String layout) throws IOException, InterruptedException {
        DeviceSim.require();
        return DeviceSim.with(
                        "--vendors",
                        "hbl",
                        "--devices",
                        "" + RANKS,
                        "--ports",
                        "4",
                        "--internal",
                        "1",
                        "--libhbl",
                        layout,
                        "--thread")
                .run(ProgramOfSources.class, SECONDS, program("hbl", "" + RANKS, "100003"))
                .text();
    }

    private static void verified(String out, String numbers) {
        assertThat(out)
                .contains("all-reduce of 100003 numbers over 4 ranks: verified")
                .doesNotContain("device-sim:");
        assertThat(Pattern.compile("rank \\d on \\w+: " + numbers).matcher(out).results())
                .as(out)
                .hasSize(RANKS);
    }

    @Test
    void ranksShareOneNumberOnAllPorts() throws IOException, InterruptedException {
        verified(onGaudis("1.21"), "collective number \\[6144\\] on 3 ports");
    }

    /** The upstream library has no collectives. */
    @Test
    void libraryWithoutCollectivesUsesOrdinaryNumbers() throws IOException, InterruptedException {
        verified(onGaudis("upstream"), "ordinary numbers 1, 1, 1");
    }

    @Test
    void embeddedDeviceUsesOrdinaryNumbers() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Jdk.own().command(List.of(), ProgramOfSources.class));
        command.addAll(List.of(program("rxe_emb", "" + RANKS, "100003")));
        verified(Program.run(command, SECONDS).text(), "ordinary numbers \\d+");
    }
}
