/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Rounds.Rival;
import io.verbs4j.benchmarks.harness.SideUser;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.jmh.JmhRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The Java data path of {@code provider-mlx5}, through the whole API, under all {@link Conditions}: against C programs
 * with libmlx5, against a JNI call to libmlx5 with a prepared request, and against the same API on top of libmlx5.
 */
public final class Mlx5 implements Comparison {
    private static final Case[] POST = {
        new Case(
                "write",
                WriteBenchmark.class,
                "one",
                "write",
                new C("ibv_post_send", "post_send-write"),
                new C("ibv_wr", "wr-write")),
        new Case("write-builder", BuiltWriteBenchmark.class, "write", null, new C("ibv_wr", "wr-write")),
        new Case("write-builder-parts", BuiltWriteBenchmark.class, "writeParts", null, new C("ibv_wr", "wr-write")),
        new Case(
                "inline16",
                InlineBenchmark.class,
                "one",
                "write",
                new C("ibv_post_send", "post_send-inline"),
                new C("ibv_wr", "wr-inline")),
        new Case("inline16-builder", BuiltWriteBenchmark.class, "inline", null, new C("ibv_wr", "wr-inline")),
        new Case(
                "send",
                SendBenchmark.class,
                "one",
                "send",
                new C("ibv_post_send", "post_send-send"),
                new C("ibv_wr", "wr-send")),
        new Case("send-builder", BuiltSendBenchmark.class, "one", null, new C("ibv_wr", "wr-send")),
    };
    private static final Case[] LIST = {
        new Case(
                "write-list64",
                WriteBenchmark.class,
                "by64",
                "list64",
                new C("ibv_post_send", "post_send-write-list64"),
                new C("ibv_wr", "wr-write-list64")),
        new Case("write-list64-builder", BuiltWriteBenchmark.class, "list64", null, new C("ibv_wr", "wr-write-list64")),
        new Case(
                "write-list64-builder-parts",
                BuiltWriteBenchmark.class,
                "list64Parts",
                null,
                new C("ibv_wr", "wr-write-list64")),
    };
    private static final Case[] POLL = {
        new Case("poll-1", PollBenchmark.class, "one", "poll1", new C("ibv_poll_cq", "poll_cq-1")),
        new Case("poll-16", PollBenchmark.class, "by16", "poll16", new C("ibv_poll_cq", "poll_cq-16")),
        new Case("lazy-1", ReadBenchmark.class, "one", null, new C("ibv_start_poll", "start_poll-1")),
        new Case("lazy-16", ReadBenchmark.class, "by16", null, new C("ibv_start_poll", "start_poll-16")),
    };

    private final List<Conditions> conditions;
    private final Case[] cases;

    private Mlx5(List<Conditions> conditions, Case... cases) {
        this.conditions = conditions;
        this.cases = cases;
    }

    /** Posting one request per call. */
    public static Mlx5 post() {
        return new Mlx5(List.of(Conditions.LOCKED, Conditions.SINGLE, Conditions.NC_SINGLE), POST);
    }

    /** Posting lists. */
    public static Mlx5 list() {
        return new Mlx5(List.of(Conditions.LOCKED, Conditions.SINGLE, Conditions.NC_SINGLE), LIST);
    }

    /** Polling completions, which does not depend on the register. */
    public static Mlx5 poll() {
        return new Mlx5(List.of(Conditions.LOCKED, Conditions.SINGLE), POLL);
    }

    /** Passes on our sides of what level 1 supported, with Java's data path. */
    static void inLevelOne(SideUser user) throws Exception {
        for (Mlx5 each : List.of(post(), list(), poll())) {
            for (Case c : each.cases) {
                for (Conditions conditions : each.conditions) {
                    if (c.jni != null) {
                        user.use(c.what + conditions.suffix(), c.side(DataPath.JAVA, conditions));
                    }
                }
            }
        }
    }

    @Override
    public void run(Rounds rounds) throws Exception {
        Simulator.make();
        Path program = Simulator.program();
        Path library = Simulator.jniLibrary();
        JmhRun.allowOthers();
        for (Case c : cases) {
            for (Conditions each : conditions) {
                c.compare(rounds, program, library, each);
            }
        }
    }

    /** The function that a C program calls, and its name in {@code verbs.c}. */
    private record C(String function, String verb) {}

    /**
     * A case.
     *
     * @param what name
     * @param benchmark our benchmark
     * @param method its method
     * @param jni method of {@link JniBenchmark}; null for builders and for reading single completions, which only
     *     Java's data path supports
     * @param functions functions of C; the JNI call has the same preparation and checks as the first of them
     */
    private record Case(String what, Class<? extends OnPair> benchmark, String method, String jni, List<C> functions) {
        Case(String what, Class<? extends OnPair> benchmark, String method, String jni, C... functions) {
            this(what, benchmark, method, jni, List.of(functions));
        }

        /** Measures the case. Garbage is reported only with the first rival, as ours is the same for all. */
        void compare(Rounds rounds, Path program, Path library, Conditions conditions) throws Exception {
            String name = what + conditions.suffix();
            List<Rival> rivals = new ArrayList<>();
            for (C c : functions) {
                rivals.add(new Rival(new CSide(program, c.verb, conditions), time(name, c.function)));
            }
            Rival first = rivals.get(0);
            Metric garbage = new Metric(name + "-garbage", Unit.BYTES_PER_OPERATION);
            rivals.set(0, new Rival(first.side(), first.metrics().get(0), garbage));
            if (jni != null) {
                rivals.add(new Rival(JavaSide.jni(library, functions.get(0).verb, jni, conditions), time(name, "jni")));
                rivals.add(new Rival(side(DataPath.JNA, conditions), time(name, "jna")));
            }
            rounds.compare(side(DataPath.JAVA, conditions), rivals);
        }

        private JavaSide side(DataPath path, Conditions conditions) {
            return JavaSide.api(benchmark, method, path, conditions);
        }

        private static Metric time(String name, String other) {
            return new Metric(name + "-vs-" + other, Unit.NANOSECONDS);
        }
    }
}
