/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.local;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.jmh.JmhRun;
import io.verbs4j.benchmarks.jmh.JmhSide;
import io.verbs4j.benchmarks.rc.Crowd;
import java.util.Map;

/**
 * The cost of an operation with many queue pairs: on one of them, against a queue pair that is alone; and on each of
 * them in turn, against always the same one.
 */
public final class Scale implements Comparison {
    @Override
    public void run(Rounds rounds) throws Exception {
        JmhRun.allowOthers();
        compare(rounds, "one", side("one", Crowd.MANY), side("one", 1));
        compare(rounds, "each", side("each", Crowd.MANY), side("one", Crowd.MANY));
    }

    private static JmhSide side(String method, int pairs) {
        return new JmhSide(ScaleBenchmark.class, method, Map.of("pairs", Integer.toString(pairs)));
    }

    private static void compare(Rounds rounds, String which, JmhSide many, JmhSide one) throws Exception {
        String what = "write-64B-" + which + "-of-" + Crowd.MANY;
        rounds.compare(
                many, one, new Metric(what, Unit.NANOSECONDS), new Metric(what + "-garbage", Unit.BYTES_PER_OPERATION));
    }
}
