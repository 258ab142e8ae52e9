/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.local;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.jmh.JmhRun;
import io.verbs4j.benchmarks.jmh.JmhSide;

/**
 * Time and garbage of an operation, by JMH: {@link PostBenchmark}. Each measurement is a JVM of its own. The other side is
 * what a Java program has at hand for passing work between threads, an {@code ArrayBlockingQueue}: like a queue pair and
 * a completion queue it is bounded and may be used by any thread.
 */
public final class Posting implements Comparison {
    @Override
    public void run(Rounds rounds) throws Exception {
        JmhRun.allowOthers();
        compare(rounds, "write", "write-64B");
        compare(rounds, "list", "write-64B-list" + PostBenchmark.LIST);
        compare(rounds, "send", "send-receive-64B");
    }

    private static void compare(Rounds rounds, String method, String what) throws Exception {
        rounds.compare(
                new JmhSide(PostBenchmark.class, method + "Ours"),
                new JmhSide(PostBenchmark.class, method + "Theirs"),
                new Metric(what, Unit.NANOSECONDS),
                new Metric(what + "-garbage", Unit.BYTES_PER_OPERATION));
    }
}
