/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.benchmarks.RunScript.Outcome;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Full;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests {@code benchmarks/run rdma-core}. Both sides check the status of every completion and the contents of the
 * memory, and fail if anything is wrong. Speed does not matter here. Runs some of the verbs; with {@code -Phours}, all
 * of them.
 */
@Full
class RdmaCoreIT {
    private static final boolean FULL = Extent.isHours();
    private static final String NAME = "rdma-core";
    private static final List<String> DATA_PATH = FULL
            ? List.of(
                    "post_send-write",
                    "post_send-write-list32",
                    "post_send-write-list64",
                    "post_send-send",
                    "post_recv",
                    "poll_cq-1",
                    "poll_cq-16",
                    "poll_cq-empty")
            : List.of("post_send-write", "post_recv", "poll_cq-16");
    private static final List<String> CONTROL =
            FULL ? List.of("reg_mr-dereg_mr-4KiB", "modify_qp") : List.of("modify_qp");

    @TempDir
    Path folder;

    @BeforeAll
    static void needsAShell() {
        RunScript.assumeShell();
    }

    @Test
    void verbsAreComparedAndDataPathMakesNoGarbage() throws Exception {
        RequiredPrograms.assumeLibmlx5();
        Path json = folder.resolve("figures.json");
        Path plot = folder.resolve("figures.svg");
        String some = "^(" + String.join("|", DATA_PATH) + "|" + String.join("|", CONTROL) + ")(-garbage)?$";
        Outcome outcome = new RunScript(folder)
                .run(
                        NAME,
                        "--rounds",
                        "1",
                        "--seconds",
                        "0.05",
                        "--only",
                        FULL ? "" : some,
                        "--json",
                        json.toString(),
                        "--plot",
                        plot.toString());
        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.out()).allMatch(line -> RunScript.isResult(line, NAME));
        assertThat(outcome.out().stream().map(line -> line.split(" ", 3)[1]))
                .containsExactlyElementsOf(Stream.concat(DATA_PATH.stream(), CONTROL.stream())
                        .flatMap(verb -> Stream.of(verb, verb + "-garbage"))
                        .toList());
        for (String verb : DATA_PATH) {
            assertThat(outcome.out())
                    .contains(
                            NAME + " " + verb + "-garbage ratio 1.00 (ours 0.000, theirs 0.000, B/op, less is better)");
        }
        assertThat(json).content().contains("\"what\": \"poll_cq-16\"");
        assertThat(plot).content().startsWith("<svg").endsWith("</svg>\n");
    }

    @Test
    void missingCompilerFailsWithInstallHint() throws Exception {
        for (String program : List.of("bash", "dirname", "readlink", "sed", "make")) {
            Path found = RequiredPrograms.where(program);
            assumeTrue(found != null, "no " + program);
            Path script = Files.writeString(folder.resolve(program), "#!/bin/sh\nexec " + found + " \"$@\"\n");
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        }
        Outcome outcome = new RunScript(folder, folder.toString()).run(NAME);
        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.errors())
                .contains("rdma-core can't run here: gcc is missing; install it (Debian: apt-get install gcc)")
                .doesNotContain("\tat ");
    }
}
