/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The heap guard of {@link KernelRulesIT} finds each kind of heap misuse, and reports nothing for correct use. */
class HeapGuardIT {
    private static final int SECONDS = 30;

    @TempDir
    static Path scratch;

    private static Path guard;
    private static Path errors;

    @BeforeAll
    static void compile() {
        guard = HeapGuard.compile(scratch);
        errors = scratch.resolve("heap-errors");
        Guest.compile(List.of("gcc", "-O0", "-w", "-o", errors.toString(), Guest.script("heap-errors.c")));
    }

    private static Program.Result run(String what) throws IOException, InterruptedException {
        return Program.run(List.of("env", "LD_PRELOAD=" + guard, errors.toString(), what), SECONDS);
    }

    @ParameterizedTest
    @CsvSource({
        "end, 'written beyond its end, at 20 of a block of 20 bytes'",
        "begin, 'written before its begin'",
        "freed, 'written after it was freed, at 19 of a block of 20 bytes'",
        "twice, 'freed twice'",
    })
    void wrongUseEndsProcess(String what, String words) throws IOException, InterruptedException {
        Program.Result result = run(what);
        assertThat(String.join("\n", result.lines())).contains("heap-guard: " + words, "heap-errors(");
        assertThat(result.status()).isNotZero();
    }

    @Test
    void correctUseIsSilent() throws IOException, InterruptedException {
        Program.Result result = run("nothing");
        assertThat(result.lines()).isEmpty();
        assertThat(result.status()).isZero();
    }
}
