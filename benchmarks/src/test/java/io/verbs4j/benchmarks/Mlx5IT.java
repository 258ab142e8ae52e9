/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.benchmarks.RunScript.Outcome;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Full;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the output of {@code benchmarks/run mlx5-post}, {@code mlx5-list}, {@code mlx5-poll}, {@code mlx5-scale} and
 * {@code mlx5-layers}, and that Java allocates no garbage. Runs a few cases of each, which cover every rival once. With
 * {@code -Phours} runs every benchmark and every condition, but not all combinations.
 */
@Full
class Mlx5IT {
    private static final boolean FULL = Extent.isHours();
    private static final String GARBAGE = "-garbage";

    @TempDir
    Path folder;

    @BeforeAll
    static void needsAShell() {
        RunScript.assumeShell();
    }

    @Test
    void singlePostsCompareWithoutGarbage() throws Exception {
        Stream<String> calls = some("inline16-single", "write", "send-nc-single")
                .flatMap(c -> against(c, "ibv_post_send", "ibv_wr", "jni", "jna"));
        Stream<String> builders = some("write-builder-parts-nc-single", "inline16-builder", "send-builder-single")
                .flatMap(c -> against(c, "ibv_wr"));
        comparesAll("mlx5-post", Stream.concat(calls, builders));
    }

    @Test
    void listPostsCompareWithoutGarbage() throws Exception {
        Stream<String> calls = against("write-list64-single", "ibv_post_send", "ibv_wr", "jni", "jna");
        Stream<String> builders = some("write-list64-builder", "write-list64-builder-parts-single")
                .flatMap(c -> against(c, "ibv_wr"));
        comparesAll("mlx5-list", Stream.concat(calls, builders));
    }

    @Test
    void pollsCompareWithoutGarbage() throws Exception {
        Stream<String> calls = some("poll-16-single", "poll-1").flatMap(c -> against(c, "ibv_poll_cq", "jni", "jna"));
        Stream<String> oneByOne = some("lazy-16", "lazy-1-single").flatMap(c -> against(c, "ibv_start_poll"));
        comparesAll("mlx5-poll", Stream.concat(calls, oneByOne));
    }

    @Test
    void manyQueuesCompareWithoutGarbage() throws Exception {
        Stream<String> java = some("post-each-of-10000", "poll-one-of-10000");
        Stream<String> c = some(
                "post-each-of-10000-vs-ibv_post_send", "poll-one-of-10000-vs-ibv_poll_cq", "ibv_poll_cq-each-of-10000");
        comparesAll("mlx5-scale", Stream.concat(java.flatMap(what -> Stream.of(what, what + GARBAGE)), c));
    }

    @Test
    void callSitesCompareWithoutGarbage() throws Exception {
        Stream<String> sites =
                some("four-providers-badwr-single", "one-provider", "shared-site", "four-copies-in-turn-single");
        comparesAll("mlx5-layers", sites.flatMap(c -> against(c, "ring")));
    }

    /** Returns the first of these cases, or with {@code -Phours} all of them. */
    private static Stream<String> some(String... cases) {
        return Stream.of(cases).limit(FULL ? cases.length : 1);
    }

    /** Returns what is printed for a case: a line for each rival, and one for garbage. */
    private static Stream<String> against(String what, String... others) {
        return Stream.concat(Stream.of(others).map(other -> what + "-vs-" + other), Stream.of(what + GARBAGE));
    }

    private void comparesAll(String name, Stream<String> expected) throws Exception {
        RequiredPrograms.assumeLibmlx5();
        List<String> all = expected.toList();
        String only = all.stream().map(what -> "^" + what + "$").collect(Collectors.joining("|"));
        Outcome outcome = new RunScript(folder).run(name, "--rounds", "1", "--seconds", "0.03", "--only", only);
        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.out()).allMatch(line -> RunScript.isResult(line, name));
        assertThat(outcome.out().stream().map(line -> line.split(" ", 3)[1])).containsExactlyInAnyOrderElementsOf(all);
        assertThat(outcome.out())
                .containsAll(all.stream()
                        .filter(what -> what.endsWith(GARBAGE))
                        .map(what -> name + " " + what + " ratio 1.00 (ours 0.000, theirs 0.000, B/op, less is better)")
                        .toList());
    }
}
