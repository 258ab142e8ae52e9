/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.bulk.ring.BulkRingOrder;
import io.verbs4j.provider.rxe.memory.KeyUse;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the tests of this module under jcstress: by default on the test's own JDK, for some tenths of a second each.
 * {@code -Phours} runs them on each JDK for minutes, with all ways to compile; then each control must show its effect.
 */
@Full
class OrderingIT {
    private static final boolean FULL = Extent.isHours();
    private static final int SECONDS = FULL ? 7200 : 3000;

    @TempDir
    Path results;

    static List<Jdk> jdks() throws IOException {
        return FULL ? Jdk.all() : List.of(Jdk.own());
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void noForbiddenOutcomeIsObserved(Jdk jdk) throws IOException, InterruptedException {
        // jcstress writes a file of results into its working directory.
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "cd '" + results + "' && exec \"$@\"", "sh"));
        command.addAll(jdk.command(List.of(Jdk.OPTIMIZED, "-XX:+UseParallelGC"), "org.openjdk.jcstress.Main"));
        command.addAll(List.of("-r", results.toString(), "-af", "NONE"));
        command.addAll(
                FULL
                        ? List.of("-m", "default", "-time", "500")
                        : List.of(
                                "-m",
                                "quick",
                                "-sc",
                                "false",
                                "-f",
                                "1",
                                "-fsm",
                                "0",
                                "-iters",
                                "2",
                                "-time",
                                "50",
                                "-jvmArgs",
                                "-XX:+UseParallelGC"));
        Program.Result run = Program.run(command, SECONDS);
        String text = run.text(); // jcstress fails if it saw a forbidden outcome
        assertThat(text).contains("Failed tests: No matches.", "Error tests: No matches.");
        assertThat(passed(run)).as("%s", text).isGreaterThanOrEqualTo(TESTS);
        List<String> shown = run.lines().stream()
                .filter(line -> line.contains("Interesting  control:"))
                .toList();
        assertThat(shown).as("%s", text).isNotEmpty();
        if (FULL) {
            for (Class<?> control : List.of(
                    Completions.ControlFreedTooEarly.class,
                    Device.ControlArmedWithoutFence.class,
                    Exclusion.ControlNoLock.class,
                    Exclusion.ControlNoBarrier.class,
                    Exclusion.ControlDoorbellOfOne.class,
                    KeyUse.ControlWithoutFence.class,
                    BulkRingOrder.ControlTakenTooEarly.class,
                    BulkRingOrder.ControlWakesWithoutFence.class)) {
                assertThat(interesting(text)).as("%s", text).contains(control.getCanonicalName());
            }
        }
    }

    /** Fewer configurations would mean that some tests did not run. */
    private static final int TESTS = 30;

    private static int passed(Program.Result run) {
        return run.lines().stream()
                .filter(line -> line.startsWith("(Results:"))
                .map(line -> line.replaceAll(".*planned; (\\d+) passed.*", "$1"))
                .mapToInt(Integer::parseInt)
                .max()
                .orElse(0);
    }

    private static String interesting(String text) {
        return text.substring(text.indexOf("Interesting tests:"), text.indexOf("Failed tests:"));
    }
}
