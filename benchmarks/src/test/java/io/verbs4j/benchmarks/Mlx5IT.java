/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.benchmarks.RunScript.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code benchmarks/run mlx5-post}, {@code mlx5-list}, {@code mlx5-poll}: what they print, and that Java makes no garbage. */
class Mlx5IT {
    @TempDir
    Path folder;

    @BeforeAll
    static void needsAShell() {
        RunScript.assumeShell();
    }

    @Test
    void posts() throws Exception {
        comparesAll("mlx5-post", List.of("write", "inline16", "send"), List.of("ibv_post_send", "ibv_wr", "jna"));
    }

    @Test
    void postsLists() throws Exception {
        comparesAll("mlx5-list", List.of("write-list64"), List.of("ibv_post_send", "ibv_wr", "jna"));
    }

    @Test
    void polls() throws Exception {
        comparesAll("mlx5-poll", List.of("poll-1", "poll-16"), List.of("ibv_poll_cq", "jna"));
    }

    private void comparesAll(String name, List<String> cases, List<String> others) throws Exception {
        RdmaCoreIT.assumeLibmlx5();
        Outcome outcome = new RunScript(folder).run(name, "--rounds", "1", "--seconds", "0.05");
        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.out()).allMatch(line -> RunScript.isResult(line, name));
        List<String> both =
                cases.stream().flatMap(c -> Stream.of(c, c + "-single")).toList();
        List<String> times = both.stream()
                .flatMap(c -> others.stream().map(other -> c + "-vs-" + other))
                .toList();
        List<String> garbage = both.stream().map(c -> c + "-garbage").toList();
        assertThat(outcome.out().stream().map(line -> line.split(" ", 3)[1]))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(times.stream(), garbage.stream()).toList());
        for (String what : garbage) {
            assertThat(outcome.out())
                    .contains(name + " " + what + " ratio 1.00 (ours 0.000, theirs 0.000, B/op, less is better)");
        }
    }
}
