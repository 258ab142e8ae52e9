/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.testsupport.Full;
import io.verbs4j.tools.base.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command that cannot write its result fails. */
@Tag("e2e")
class OutputIT {
    private static final String COULD_NOT = "verbs: couldn't write to standard output: ";

    @BeforeEach
    void needsThese() {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash here");
        assumeTrue(Files.isWritable(Path.of("/dev/full")), "no /dev/full on this system");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--version",
                "--help",
                "devices",
                "devices --json",
                "info",
                "pingpong -n 10 --warm-up 0",
                "bench send -n 10 --warm-up 0 --in-process"
            })
    @Full
    void fullDiskFailsCommand(String line) {
        Program.redirected(line, "> /dev/full").fails(ExitCode.FAILED, COULD_NOT);
    }

    @Test
    void closedStandardOutputFailsCommand() {
        Program.redirected("devices", ">&-").fails(ExitCode.FAILED, COULD_NOT);
        Program.redirected("info -d nothing", ">&-").fails(ExitCode.NOT_AVAILABLE, "no device 'nothing'");
    }

    /** Like other programs, which SIGPIPE ends: prints no message, and does not report success. */
    @Test
    @Full
    void closedPipeFailsCommandSilently() {
        Program program = Program.redirected("pingpong -n 10 --warm-up 0", "| head -n 1");
        assertThat(program.fails(ExitCode.FAILED, "").err()).isEmpty();
        assertThat(program.out()).startsWith("Both sides of an RC ping-pong").hasLineCount(1);
    }

    @Test
    void writableOutputSucceeds() {
        Program.redirected("devices", "> /dev/null").succeeds();
    }
}
