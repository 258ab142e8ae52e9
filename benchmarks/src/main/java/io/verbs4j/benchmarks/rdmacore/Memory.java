/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.MissingException;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Side;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.jmh.InJvm;
import io.verbs4j.benchmarks.jmh.JmhRun;
import io.verbs4j.benchmarks.local.Posting;

/**
 * The Java data paths with memory access by the JDK's foreign memory API, against the same with
 * {@code sun.misc.Unsafe}.
 */
public final class Memory implements Comparison {
    private static final int SINCE = 22;
    private static final String FORM = "-Dio.verbs4j.native=";

    @Override
    public void run(Rounds rounds) throws Exception {
        if (Runtime.version().feature() < SINCE) {
            throw new MissingException("foreign memory access requires JDK " + SINCE + " or newer; set JAVA_HOME");
        }
        Simulator.make();
        Simulator.program();
        JmhRun.allowOthers();
        Mlx5.inLevelOne((what, side) -> compare(rounds, "mlx5-" + what, side));
        Posting.ours((what, side) -> compare(rounds, "rxe-" + what, side));
        Posting.sizes((what, side) -> compare(rounds, "rxe-local-" + what, side));
    }

    private static void compare(Rounds rounds, String what, Side side) throws Exception {
        rounds.compare(
                new InJvm(side, FORM + "ffm"),
                new InJvm(side, FORM + "jna"),
                new Metric(what, Unit.NANOSECONDS),
                new Metric(what + "-garbage", Unit.BYTES_PER_OPERATION));
    }
}
