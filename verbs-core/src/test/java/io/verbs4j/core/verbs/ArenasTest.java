/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An arena is not closed while a buffer of it is registered, or the buffer is not registered. */
class ArenasTest {
    private static final int TIMEOUT = 120;

    private static List<String> run(Jdk jdk, String... options) throws Exception {
        return Program.run(jdk.command(List.of(options), ArenasProgram.class), TIMEOUT)
                .text()
                .lines()
                .filter(line -> !line.startsWith("WARNING:"))
                .toList();
    }

    @Test
    void bufferOfCloseableArenaIsRefused() throws Exception {
        List<String> lines = run(Jdk.withForeignMemory());

        assertThat(lines)
                .contains("direct: done")
                .contains("global, read-only slice: done", "auto, read-only slice: done")
                .contains("confined, close: done");
        for (String what :
                List.of("shared, read-only slice", "confined, read-only slice", "confined to another thread")) {
            assertThat(lines)
                    .filteredOn(line -> line.startsWith(what + ": "))
                    .singleElement()
                    .asString()
                    .contains("reg_mr: EOPNOTSUPP")
                    .contains("Arena.ofAuto()")
                    .contains("--add-exports java.base/jdk.internal.foreign=ALL-UNNAMED");
        }
    }

    @Test
    void arenaIsKeptOpenIfJvmAllows() throws Exception {
        List<String> lines =
                run(Jdk.withForeignMemory(), "--add-exports", "java.base/jdk.internal.foreign=ALL-UNNAMED");

        assertKeptOpen(lines, "IllegalStateException: Session is acquired by");
        assertThat(lines)
                .anyMatch(line -> line.startsWith("confined to another thread: reg_mr: EINVAL")
                        && line.contains("in its thread"));
    }

    @Test
    void arenaIsKeptOpenOnJava17() throws Exception {
        Optional<Jdk> jdk = Jdk.all().stream().filter(j -> j.feature() == 17).findFirst();
        assumeTrue(jdk.isPresent(), "no JDK 17, which had arenas as an incubator module");

        List<String> lines = run(jdk.get(), "--add-modules", "jdk.incubator.foreign");

        assertKeptOpen(lines, "IllegalStateException: Scope is acquired by");
    }

    private static void assertKeptOpen(List<String> lines, String refusal) {
        assertThat(lines).contains("direct: done", "global, read-only slice: done", "auto, read-only slice: done");
        for (String kind : List.of("shared", "confined")) {
            assertThat(lines)
                    .contains(kind + ", read-only slice: done")
                    .contains(kind + ", close with one that has other memory: done");
            for (String when : List.of("with two regions", "with one")) {
                assertThat(lines)
                        .anyMatch(line -> line.startsWith(kind + ", close " + when + ": ") && line.contains(refusal));
            }
            assertThat(lines)
                    .anyMatch(line ->
                            line.startsWith(kind + ", closed: reg_mr: EINVAL") && line.contains("Already closed"));
        }
    }
}
