/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.StrictJson;
import io.verbs4j.tools.base.ExitCode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the commands that only query, on the embedded device. */
@Tag("e2e")
class InfoIT {
    @Test
    void embeddedDeviceIsListed() {
        assertThat(Program.run("devices").succeeds().out())
                .containsPattern("rxe_emb0 +\t[0-9a-f]{16}\tembedded\trxe\n")
                .contains("default: rxe_emb0, the first with an active port");
        Map<String, Object> map =
                StrictJson.object(Program.run("devices --json").succeeds().out());
        assertThat(map.get("devices").toString()).contains("name=rxe_emb0");
    }

    /** JNA has no native library in this configuration, and nothing replaces it. */
    @Test
    @Full
    void slowNativeLinkIsListedAsWarning() {
        List<String> withoutJna = List.of("-Dio.verbs4j.native=jna", "-Djna.nounpack=true", "-Djna.nosys=true");
        Program program = Program.start(withoutJna, "devices").succeeds();
        assertThat(program.out()).containsPattern("\nwarnings:\n    .*ten times.*JNA is missing or does not work here");
        assertThat(program.err()).doesNotContain("ten times");
        assertThat(StrictJson.object(Program.start(withoutJna, "devices --json")
                                .succeeds()
                                .out())
                        .get("warnings")
                        .toString())
                .contains("ten times");
        assertThat(Program.run("devices").succeeds().out()).doesNotContain("warnings");
    }

    @Test
    void infoPrintsAttributesOfEmbeddedDevice() {
        assertThat(Program.run("info -v").succeeds().out())
                .contains("hca_id:\trxe_emb0\n")
                .contains("state:\t\t\tPORT_ACTIVE (4)\n")
                .contains("link_layer:\t\tEthernet\n")
                .containsPattern("GID\\[  0\\]:\t\t::ffff:127\\.")
                .contains("PKey[  0]:\t\t0xffff\n");
        assertThat((List<?>)
                        StrictJson.read(Program.run("info --json").succeeds().out()))
                .hasSize(1);
    }

    @Test
    void versionIsPrinted() {
        assertThat(Program.run("--version").succeeds().out()).containsPattern("^verbs4j [0-9(]");
    }

    @Test
    void exitCodesReachTheShell() {
        Program.run("nonsense").fails(ExitCode.USAGE, "nonsense");
        Program.run("info -d nothing").fails(ExitCode.NOT_AVAILABLE, "no device 'nothing'");
    }
}
