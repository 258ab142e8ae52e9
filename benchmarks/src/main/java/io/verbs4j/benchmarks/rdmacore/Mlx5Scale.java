/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Rounds.Rival;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.jmh.JmhRun;
import io.verbs4j.benchmarks.rc.Crowd;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The cost of {@code provider-mlx5}'s Java data path with many queue pairs: on one beside them, against the same
 * without them; and on each of them in turn, against always the same one. Both are also compared with C, which has the
 * same queue pairs.
 */
public final class Mlx5Scale implements Comparison {
    @Override
    public void run(Rounds rounds) throws Exception {
        Simulator.make();
        Path program = Simulator.program();
        JmhRun.allowOthers();
        compare(rounds, program, "post", CrowdPostBenchmark.class, "ibv_post_send", "post_send");
        compare(rounds, program, "poll", CrowdPollBenchmark.class, "ibv_poll_cq", "poll_cq");
    }

    /** Measures a verb. Garbage is reported only with the first of two rivals, as ours is the same for both. */
    private static void compare(
            Rounds rounds,
            Path program,
            String verb,
            Class<? extends Batches> benchmark,
            String function,
            String functionsVerb)
            throws Exception {
        JavaSide one = side(benchmark, verb, false, Crowd.MANY);
        CSide oneByC = new CSide(program, functionsVerb + "-one-of-crowd", Conditions.LOCKED);
        CSide eachByC = new CSide(program, functionsVerb + "-each-of-crowd", Conditions.LOCKED);
        String ofOne = verb + "-one-of-" + Crowd.MANY;
        String ofEach = verb + "-each-of-" + Crowd.MANY;
        rounds.compare(
                one,
                List.of(
                        new Rival(side(benchmark, verb, false, 0), time(ofOne), garbage(ofOne)),
                        new Rival(oneByC, time(ofOne + "-vs-" + function))));
        rounds.compare(
                side(benchmark, verb, true, Crowd.MANY),
                List.of(
                        new Rival(one, time(ofEach), garbage(ofEach)),
                        new Rival(eachByC, time(ofEach + "-vs-" + function))));
        rounds.compare(eachByC, oneByC, time(function + "-each-of-" + Crowd.MANY));
    }

    private static JavaSide side(Class<? extends Batches> benchmark, String method, boolean each, int crowd) {
        return new JavaSide(
                benchmark,
                method,
                Map.of("each", Boolean.toString(each), "crowd", Integer.toString(crowd)),
                DataPath.JAVA.argument(),
                Conditions.LOCKED);
    }

    private static Metric time(String what) {
        return new Metric(what, Unit.NANOSECONDS);
    }

    private static Metric garbage(String what) {
        return new Metric(what + "-garbage", Unit.BYTES_PER_OPERATION);
    }
}
