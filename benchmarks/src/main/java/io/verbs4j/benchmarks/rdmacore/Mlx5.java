/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Rounds.Rival;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.jmh.JmhRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Java's own data path of {@code provider-mlx5}, through the whole API, against C programs that post and poll by libmlx5, and
 * against the same API with libmlx5 below it; with locks, and without.
 */
public final class Mlx5 implements Comparison {
    private static final Case[] POST = {
        new Case(
                "write",
                WriteBenchmark.class,
                "one",
                new C("ibv_post_send", "post_send-write"),
                new C("ibv_wr", "wr-write")),
        new Case(
                "inline16",
                InlineBenchmark.class,
                "one",
                new C("ibv_post_send", "post_send-inline"),
                new C("ibv_wr", "wr-inline")),
        new Case(
                "send",
                SendBenchmark.class,
                "one",
                new C("ibv_post_send", "post_send-send"),
                new C("ibv_wr", "wr-send")),
    };
    private static final Case[] LIST = {
        new Case(
                "write-list64",
                WriteBenchmark.class,
                "by64",
                new C("ibv_post_send", "post_send-write-list64"),
                new C("ibv_wr", "wr-write-list64")),
    };
    private static final Case[] POLL = {
        new Case("poll-1", PollBenchmark.class, "one", new C("ibv_poll_cq", "poll_cq-1")),
        new Case("poll-16", PollBenchmark.class, "by16", new C("ibv_poll_cq", "poll_cq-16")),
    };

    private final Case[] cases;

    private Mlx5(Case... cases) {
        this.cases = cases;
    }

    /** Posting one request per call. */
    public static Mlx5 post() {
        return new Mlx5(POST);
    }

    /** Posting lists. */
    public static Mlx5 list() {
        return new Mlx5(LIST);
    }

    /** Taking completions. */
    public static Mlx5 poll() {
        return new Mlx5(POLL);
    }

    @Override
    public void run(Rounds rounds) throws Exception {
        Simulator.make();
        Path program = Simulator.program();
        JmhRun.allowOthers();
        for (Case c : cases) {
            c.compare(rounds, program, false);
            c.compare(rounds, program, true);
        }
    }

    /** What a C program calls, and the name of {@code verb_cost.c} for it. */
    private record C(String function, String verb) {}

    private record Case(String what, Class<? extends OnPair> benchmark, String method, List<C> functions) {
        Case(String what, Class<? extends OnPair> benchmark, String method, C... functions) {
            this(what, benchmark, method, List.of(functions));
        }

        /** Garbage has a line of its own in the first of the comparisons: ours is the same in all. */
        void compare(Rounds rounds, Path program, boolean singleThreaded) throws Exception {
            String name = singleThreaded ? what + "-single" : what;
            List<Rival> rivals = new ArrayList<>();
            for (C c : functions) {
                rivals.add(new Rival(new CSide(program, c.verb, singleThreaded), time(name, c.function)));
            }
            Rival first = rivals.get(0);
            Metric garbage = new Metric(name + "-garbage", Unit.BYTES_PER_OPERATION);
            rivals.set(0, new Rival(first.side(), first.metrics().get(0), garbage));
            rivals.add(new Rival(side(DataPath.JNA, singleThreaded), time(name, "jna")));
            rounds.compare(side(DataPath.JAVA, singleThreaded), rivals);
        }

        private JavaSide side(DataPath path, boolean singleThreaded) {
            return new JavaSide(benchmark, method, path, singleThreaded);
        }

        private static Metric time(String name, String other) {
            return new Metric(name + "-vs-" + other, Unit.NANOSECONDS);
        }
    }
}
