/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.rxe.attack.programs.ArenaProgram;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Closing the arena of registered memory does not crash the JVM. */
@Tag("attack")
class ArenaTest {
    private static List<String> run(String... options) throws Exception {
        return Program.run(Jdk.withForeignMemory().command(List.of(options), ArenaProgram.class), 120)
                .text()
                .lines()
                .toList();
    }

    @Test
    void buffersOfArenaAreRefused() throws Exception {
        assertThat(run())
                .hasSize(4)
                .contains("shared is closed", "confined is closed")
                .anyMatch(line -> line.startsWith("shared reg_mr: EOPNOTSUPP"))
                .anyMatch(line -> line.startsWith("confined reg_mr: EOPNOTSUPP"));
    }

    @Test
    void arenaStaysOpenUntilRegionCloses() throws Exception {
        assertThat(run("--add-exports", "java.base/jdk.internal.foreign=ALL-UNNAMED"))
                .containsExactly(
                        "shared was kept open",
                        "shared success",
                        "shared is closed",
                        "confined was kept open",
                        "confined success",
                        "confined is closed");
    }
}
