/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.local;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.SideUser;
import io.verbs4j.benchmarks.harness.Sizes;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.jmh.JmhRun;
import io.verbs4j.benchmarks.jmh.JmhSide;
import java.util.Map;

/**
 * Time and garbage of an operation, measured by JMH with {@link PostBenchmark}, each time in a separate JVM. The other
 * side is what a Java program has for passing work between threads, an {@code ArrayBlockingQueue}: like a queue pair
 * and a completion queue, it is bounded and may be used by any thread.
 */
public final class Posting implements Comparison {
    @Override
    public void run(Rounds rounds) throws Exception {
        JmhRun.allowOthers();
        compare(rounds, "write", "write-64B");
        compare(rounds, "list", "write-64B-list" + PostBenchmark.LIST);
        compare(rounds, "send", "send-receive-64B");
    }

    /** Passes on our sides only. */
    public static void ours(SideUser user) throws Exception {
        user.use("write-64B", ours("write"));
        user.use("write-64B-list" + PostBenchmark.LIST, ours("list"));
        user.use("send-receive-64B", ours("send"));
    }

    /** Passes on our side of a write, for the sizes of {@link LocalWrites}. */
    public static void sizes(SideUser user) throws Exception {
        for (int size : LocalWrites.SIZES) {
            JmhSide side = new JmhSide(PostBenchmark.class, "writeOurs", Map.of("size", Integer.toString(size)));
            user.use("write-" + Sizes.text(size), side);
        }
    }

    private static JmhSide ours(String method) {
        return new JmhSide(PostBenchmark.class, method + "Ours");
    }

    private static void compare(Rounds rounds, String method, String what) throws Exception {
        rounds.compare(
                ours(method),
                new JmhSide(PostBenchmark.class, method + "Theirs"),
                new Metric(what, Unit.NANOSECONDS),
                new Metric(what + "-garbage", Unit.BYTES_PER_OPERATION));
    }
}
