/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.local;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.jmh.JmhRun;
import io.verbs4j.benchmarks.jmh.JmhSide;

/** What an operation costs where many queue pairs are in use, against one of as many. */
public final class Scale implements Comparison {
    @Override
    public void run(Rounds rounds) throws Exception {
        JmhRun.allowOthers();
        rounds.compare(
                new JmhSide(ScaleBenchmark.class, "many"),
                new JmhSide(ScaleBenchmark.class, "one"),
                new Metric("write-64B-of-" + ScaleBenchmark.MANY, Unit.NANOSECONDS),
                new Metric("write-64B-garbage", Unit.BYTES_PER_OPERATION));
    }
}
