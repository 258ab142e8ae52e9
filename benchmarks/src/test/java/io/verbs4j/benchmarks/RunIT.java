/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.benchmarks.RunScript.Outcome;
import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the script {@code benchmarks/run}. Speed does not matter here. */
@Full
class RunIT {
    @TempDir
    Path folder;

    @BeforeAll
    static void needsShell() {
        RunScript.assumeShell();
    }

    /** Cases of comparisons that are not run completely. The omitted ones differ only in a size or a setting. */
    private static final Map<Comparisons, String> SOME = Map.of(
            Comparisons.RXE_TCP, "round-trip|-64KiB",
            Comparisons.RXE_UDS, "round-trip|send-64KiB",
            Comparisons.RXE_JUCX, "onecopy-round-trip|(send|read)-64KiB",
            Comparisons.RXE_RING, "64B",
            Comparisons.RXE_AERON, "send-(round-trip-4KiB|64B)",
            Comparisons.BULK_VERBS, "batch16|-64KiB|notify",
            Comparisons.BULK_TCP, "-(64KiB|16MiB)",
            Comparisons.NETTY, "spin-echo-64B|sleep-echo-64KiB-registered|spin-stream-64KiB$|connect",
            Comparisons.GRPC, "spin-(unary-1KiB-100|stream)");

    private Outcome run(String... arguments) throws IOException, InterruptedException {
        return new RunScript(folder).compilingQuickly().run(arguments);
    }

    @Test
    void listNamesAllComparisons() throws Exception {
        Outcome outcome = run("--list");
        assertThat(outcome.status()).isZero();
        assertThat(outcome.out().stream().map(l -> l.split(" ", 2)[0])).isEqualTo(Comparisons.labels());
    }

    @Test
    void malformedExpressionIsRefused() throws Exception {
        Outcome outcome = run("rxe-local", "--only", "(");

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.errors()).contains("--only").contains("'('");
    }

    @Test
    void expressionMatchingNothingFails() throws Exception {
        Outcome outcome = run("rxe-local", "--only", "no such thing");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.errors()).contains("rxe-local has no case that matches --only no such thing");
        assertThat(outcome.out()).isEmpty();
    }

    @Test
    void unknownNameFailsAndListsKnownNames() throws Exception {
        Outcome outcome = run("rxe-nothing");
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.errors()).contains("rxe-nothing").contains(Comparisons.labels());
    }

    /** Requires a successful run. Skips the test if the machine lacks a requirement, which the script reports. */
    private static void requireRun(Outcome outcome) {
        assumeTrue(outcome.status() != 1 || !outcome.errors().contains(" is missing; install "), outcome.errors());
        assertThat(outcome.status()).as(outcome.errors()).isZero();
    }

    /** Runs in the guest; skipped if a requirement is missing. */
    @Test
    void connectionsAreCounted() throws Exception {
        Outcome outcome = run("cm", "--rounds", "1", "--seconds", "0.02");
        requireRun(outcome);
        assertThat(outcome.out()).hasSize(2).allMatch(line -> RunScript.isResult(line, "cm"));
    }

    /**
     * Runs all comparisons except those with special requirements: {@link RdmaCoreIT}, {@link Mlx5IT},
     * {@link MemoryIT}, {@link BeforeIT}. Runs only {@link #SOME} cases of some comparisons.
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "RDMA_CORE",
                "MLX5_POST",
                "MLX5_LIST",
                "MLX5_POLL",
                "MLX5_SCALE",
                "MLX5_LAYERS",
                "MEMORY",
                "BEFORE",
                "CM"
            })
    void everyComparisonRuns(Comparisons comparison) throws Exception {
        Path json = folder.resolve("figures.json");
        Path plot = folder.resolve("figures.svg");
        Path peers = folder.resolve("peers.svg");
        List<String> arguments = new ArrayList<>(List.of(comparison.label(), "--rounds", "1", "--seconds", "0.02"));
        if (SOME.containsKey(comparison)) {
            arguments.addAll(List.of("--only", SOME.get(comparison)));
        }
        if (comparison == Comparisons.RXE_TCP) {
            arguments.addAll(List.of("--peers", peers.toString()));
        }
        arguments.addAll(List.of("--json", json.toString(), "--plot", plot.toString()));
        Outcome outcome = run(arguments.toArray(String[]::new));
        requireRun(outcome);
        if (comparison == Comparisons.RXE_TCP) {
            assertThat(peers).content().contains(">verbs4j, RDMA WRITE<", ">TCP<");
        }
        assertThat(outcome.out()).isNotEmpty().allMatch(line -> RunScript.isResult(line, comparison.label()));
        assertThat(json).content().contains("\"comparison\": \"" + comparison.label() + "\"");
        assertThat(plot).content().startsWith("<svg").endsWith("</svg>\n");
    }
}
