/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.benchmarks.RunScript.Outcome;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.program.Jdk;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code benchmarks/run memory} with one case of each kind, on a JDK with the compared API. */
@Full
class MemoryIT {
    private static final String NAME = "memory";

    @TempDir
    Path folder;

    @BeforeAll
    static void needsAShell() {
        RunScript.assumeShell();
    }

    private Outcome run(Jdk jdk) throws Exception {
        RequiredPrograms.assumeLibmlx5();
        return new RunScript(folder, null, jdk.home().toString(), "")
                .run(NAME, "--rounds", "1", "--seconds", "0.03", "--only", "^(mlx5-poll-1|rxe-local-write-4KiB)$");
    }

    @Test
    void bothWaysAreComparedWithoutGarbage() throws Exception {
        Outcome outcome = run(Jdk.withForeignMemory());
        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.out()).allMatch(line -> RunScript.isResult(line, NAME));
        assertThat(outcome.out().stream().map(line -> line.split(" ", 3)[1]))
                .containsExactly(
                        "mlx5-poll-1", "mlx5-poll-1-garbage", "rxe-local-write-4KiB", "rxe-local-write-4KiB-garbage");
        assertThat(outcome.out().get(1)).contains("ratio 1.00 (ours 0.000, theirs 0.000");
    }

    @Test
    void olderJdkFails() throws Exception {
        Outcome outcome = run(Jdk.withoutForeignMemory());
        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.errors()).contains("memory can't run here", "requires JDK 22 or newer; set JAVA_HOME");
    }
}
