/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.program.Namespaces;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the tools in an environment that resembles macOS. */
@Tag("e2e")
class LikeMacOsIT {
    private static Program run(String line) throws Exception {
        return Program.within(Namespaces.likeMacOs(), line);
    }

    /** The two sides are separate processes. */
    @ParameterizedTest
    @CsvSource({
        "pingpong --warm-up 0.1, verified: every byte of",
        "pingpong ud --both -n 50 --warm-up 0.1, verified: every byte of",
        "pingpong srq --both -n 50 --warm-up 0.1, verified: every byte of",
        "ping, verified: every byte of 640",
        "bench write -n 300 -s 4096 --warm-up 0.1, MB",
    })
    void twoProcessesCommunicate(String line, String verified) throws Exception {
        assertThat(run(line).succeeds().out()).contains(verified);
    }

    @Test
    void infoExplainsReachOfNames() throws Exception {
        String reach = "this machine has only 127.0.0.1, so GIDs in 127.0.0.0/8 are names";
        assertThat(run("info -v").succeeds().out()).contains(reach);
        assertThat(Program.run("info -v").succeeds().out()).contains("one_copy").doesNotContain(reach);
    }
}
