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

/** {@code benchmarks/run mlx5-post}, {@code mlx5-list}, {@code mlx5-poll}, {@code mlx5-layers}: what they print, and that Java makes no garbage. */
class Mlx5IT {
    private static final List<String> LOCKS = List.of("", "-single");
    private static final List<String> LOCKS_AND_REGISTERS = List.of("", "-single", "-nc-single");

    @TempDir
    Path folder;

    @BeforeAll
    static void needsAShell() {
        RunScript.assumeShell();
    }

    @Test
    void posts() throws Exception {
        comparesAll(
                "mlx5-post",
                List.of("write", "inline16", "send"),
                LOCKS_AND_REGISTERS,
                List.of("ibv_post_send", "ibv_wr", "jni", "jna"));
    }

    @Test
    void postsLists() throws Exception {
        comparesAll(
                "mlx5-list",
                List.of("write-list64"),
                LOCKS_AND_REGISTERS,
                List.of("ibv_post_send", "ibv_wr", "jni", "jna"));
    }

    @Test
    void polls() throws Exception {
        comparesAll("mlx5-poll", List.of("poll-1", "poll-16"), LOCKS, List.of("ibv_poll_cq", "jni", "jna"));
    }

    @Test
    void layers() throws Exception {
        List<String> sites =
                List.of("one-provider", "one-provider-badwr", "four-providers", "four-providers-badwr", "shared-site");
        comparesAll(
                "mlx5-layers",
                Stream.concat(
                                sites.stream().flatMap(site -> LOCKS.stream().map(lock -> site + lock)),
                                Stream.of("four-copies-in-turn-single"))
                        .toList(),
                List.of(""),
                List.of("ring"));
    }

    private void comparesAll(String name, List<String> cases, List<String> conditions, List<String> others)
            throws Exception {
        RequiredPrograms.assumeLibmlx5();
        Outcome outcome = new RunScript(folder).run(name, "--rounds", "1", "--seconds", "0.03");
        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.out()).allMatch(line -> RunScript.isResult(line, name));
        List<String> all = cases.stream()
                .flatMap(c -> conditions.stream().map(condition -> c + condition))
                .toList();
        List<String> times = all.stream()
                .flatMap(c -> others.stream().map(other -> c + "-vs-" + other))
                .toList();
        List<String> garbage = all.stream().map(c -> c + "-garbage").toList();
        assertThat(outcome.out().stream().map(line -> line.split(" ", 3)[1]))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(times.stream(), garbage.stream()).toList());
        for (String what : garbage) {
            assertThat(outcome.out())
                    .contains(name + " " + what + " ratio 1.00 (ours 0.000, theirs 0.000, B/op, less is better)");
        }
    }
}
