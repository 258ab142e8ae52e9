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
import java.util.Map;

/**
 * The Java data path of {@code provider-efa}, through the whole API, against C programs with libefa of rdma-core 65.
 */
public final class Efa implements Comparison {
    private final List<Case> cases;

    private Efa(Case... cases) {
        this.cases = List.of(cases);
    }

    /** Posting, one request per call and in lists. */
    public static Efa post() {
        return new Efa(
                new Case("write", WriteBenchmark.class, "one", "wr-write"),
                new Case("send", SendBenchmark.class, "one", "wr-send", "post_send-send"),
                new Case("write-list64", WriteBenchmark.class, "by64", "wr-write-list64"));
    }

    /** Polling completions. */
    public static Efa poll() {
        return new Efa(
                new Case("poll-1", PollBenchmark.class, "one", "poll_cq-1"),
                new Case("poll-16", PollBenchmark.class, "by16", "poll_cq-16"));
    }

    @Override
    public void run(Rounds rounds) throws Exception {
        Simulator.make();
        Path program = Simulator.efaProgram();
        JmhRun.allowOthers();
        for (Case c : cases) {
            c.compare(rounds, program);
        }
    }

    /**
     * A case.
     *
     * @param what name
     * @param benchmark our benchmark
     * @param method its method
     * @param verbs the verbs' names in {@code verbs.c}
     */
    private record Case(String what, Class<? extends OnPair> benchmark, String method, List<String> verbs) {
        Case(String what, Class<? extends OnPair> benchmark, String method, String... verbs) {
            this(what, benchmark, method, List.of(verbs));
        }

        /** Measures the case. Garbage is reported only with the first rival, as ours is the same for all. */
        void compare(Rounds rounds, Path program) throws Exception {
            List<Rival> rivals = new ArrayList<>();
            for (String verb : verbs) {
                CSide side = new CSide(program, verb, Conditions.EFA);
                Metric time = new Metric(what + "-vs-" + verb.replaceAll("-.*", ""), Unit.NANOSECONDS);
                Metric garbage = new Metric(what + "-garbage", Unit.BYTES_PER_OPERATION);
                rivals.add(rivals.isEmpty() ? new Rival(side, time, garbage) : new Rival(side, time));
            }
            rounds.compare(
                    new JavaSide(benchmark, method, Map.of(), "-Dio.verbs4j.efa.path=java", Conditions.EFA), rivals);
        }
    }
}
