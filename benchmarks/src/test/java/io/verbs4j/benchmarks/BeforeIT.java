/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.benchmarks.RunScript.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code benchmarks/run before}: the release before is made of the history, and runs what today's libraries run. */
class BeforeIT {
    @TempDir
    Path folder;

    @Test
    void comparesWithTheReleaseBefore() throws Exception {
        RunScript.assumeShell();
        RequiredPrograms.assumeLibmlx5();
        assumeTrue(Files.exists(Path.of("../.git")), "no history (.git)");
        String only = "^(mlx5-write-list64|mlx5-poll-16-single|rxe-write-64B)-vs";
        Outcome outcome = new RunScript(folder).run("before", "--rounds", "1", "--seconds", "0.03", "--only", only);
        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.out()).allMatch(line -> RunScript.isResult(line, "before"));
        assertThat(outcome.out().stream().map(line -> line.split(" ", 3)[1]))
                .containsExactly(
                        "mlx5-write-list64-vs-1.1.0",
                        "mlx5-write-list64-garbage",
                        "mlx5-poll-16-single-vs-1.1.0",
                        "mlx5-poll-16-single-garbage",
                        "rxe-write-64B-vs-1.1.0",
                        "rxe-write-64B-garbage");
    }
}
