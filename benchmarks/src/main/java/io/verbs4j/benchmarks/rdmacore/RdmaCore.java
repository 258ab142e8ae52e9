/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.jmh.JmhRun;
import java.nio.file.Path;

/**
 * The cost of a verb from call to return, measured by JMH, against {@code verb_cost.c}. Both sides run on a simulated
 * mlx5 device with the same libibverbs and libmlx5; the device is idle while the clock runs.
 */
public final class RdmaCore implements Comparison {
    private record Verb(String what, Class<? extends OnPair> benchmark, String method) {}

    private static final Verb[] VERBS = {
        new Verb("post_send-write", WriteBenchmark.class, "one"),
        new Verb("post_send-write-list32", WriteBenchmark.class, "by32"),
        new Verb("post_send-write-list64", WriteBenchmark.class, "by64"),
        new Verb("post_send-send", SendBenchmark.class, "one"),
        new Verb("post_recv", ReceiveBenchmark.class, "one"),
        new Verb("poll_cq-1", PollBenchmark.class, "one"),
        new Verb("poll_cq-16", PollBenchmark.class, "by16"),
        new Verb("poll_cq-empty", IdleBenchmark.class, "pollEmpty"),
        new Verb("reg_mr-dereg_mr-4KiB", IdleBenchmark.class, "registerPage"),
        new Verb("modify_qp", IdleBenchmark.class, "modify"),
    };

    @Override
    public void run(Rounds rounds) throws Exception {
        Simulator.make();
        Path program = Simulator.program();
        JmhRun.allowOthers();
        for (Verb verb : VERBS) {
            rounds.compare(
                    JavaSide.api(verb.benchmark, verb.method, DataPath.JNA, Conditions.LOCKED),
                    new CSide(program, verb.what, Conditions.LOCKED),
                    new Metric(verb.what, Unit.NANOSECONDS),
                    new Metric(verb.what + "-garbage", Unit.BYTES_PER_OPERATION));
        }
    }
}
