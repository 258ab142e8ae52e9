/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Side;
import io.verbs4j.benchmarks.harness.Unit;
import io.verbs4j.benchmarks.jmh.JmhRun;
import io.verbs4j.benchmarks.local.Posting;

/**
 * The data path of levels 1 to 3, today's against that of the previous release: the same benchmarks, which use nothing
 * newer, with the previous release's libraries instead of today's.
 */
public final class Before implements Comparison {
    @Override
    public void run(Rounds rounds) throws Exception {
        Simulator.make();
        Simulator.program();
        JmhRun.allowOthers();
        Released released = Released.find();
        Mlx5.inLevelOne((what, side) -> compare(rounds, released, "mlx5-" + what, side));
        Posting.ours((what, side) -> compare(rounds, released, "rxe-" + what, side));
    }

    private static void compare(Rounds rounds, Released released, String what, Side side) throws Exception {
        rounds.compare(
                side,
                new OnClassPath(side, released.classPath()),
                new Metric(what + "-vs-" + released.name(), Unit.NANOSECONDS),
                new Metric(what + "-garbage", Unit.BYTES_PER_OPERATION));
    }
}
