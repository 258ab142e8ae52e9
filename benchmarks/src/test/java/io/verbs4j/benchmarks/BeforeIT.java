/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.benchmarks.RunScript.Outcome;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Full;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests {@code benchmarks/run before}, which builds the previous release from the repository's history and runs the
 * same cases as the current libraries. Runs one case of each kind; with {@code -Phours}, all cases.
 */
@Full
class BeforeIT {
    private static final boolean FULL = Extent.isHours();
    private static final String SOME = "^(mlx5-write-list64|mlx5-poll-16-single|rxe-write-64B)-vs";

    @TempDir
    Path folder;

    @Test
    void casesCompareWithPreviousRelease() throws Exception {
        RunScript.assumeShell();
        RequiredPrograms.assumeLibmlx5();
        assumeTrue(Files.exists(Path.of("../.git")), "no history (.git)");
        Outcome outcome = new RunScript(folder)
                .run("before", "--rounds", "1", "--seconds", "0.03", "--only", FULL ? "-vs-" : SOME);
        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.out()).allMatch(line -> RunScript.isResult(line, "before"));
        List<String> what =
                outcome.out().stream().map(line -> line.split(" ", 3)[1]).toList();
        List<String> some = Stream.of("mlx5-write-list64", "mlx5-poll-16-single", "rxe-write-64B")
                .flatMap(name -> Stream.of(name + "-vs-1.2.0", name + "-garbage"))
                .toList();
        assertThat(FULL ? what.stream().filter(some::contains).toList() : what).isEqualTo(some);
    }
}
