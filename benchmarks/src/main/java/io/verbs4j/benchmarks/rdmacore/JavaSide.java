/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Side;
import io.verbs4j.benchmarks.jmh.JmhRun;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * A verb called by Java: of all batches the median of the time, and what an operation allocates. The
 * median, as on the other side, because one batch during which the scheduler ran something else weighs as much as a
 * thousand others.
 *
 * @param benchmark class of the benchmark
 * @param method name of its method
 * @param path who writes and reads the queues
 * @param singleThreaded whether there are to be no locks
 */
record JavaSide(Class<? extends OnPair> benchmark, String method, DataPath path, boolean singleThreaded)
        implements Side {
    @Override
    public boolean needsWarmUp() {
        return false; // JMH's part
    }

    @Override
    public double[] measure(double seconds) throws RunnerException {
        RunResult result = JmhRun.of(
                benchmark,
                method,
                seconds,
                List.of(GarbageProfiler.class, OnDeviceSim.class),
                path.arguments(singleThreaded));
        return new double[] {
            result.getPrimaryResult().getStatistics().getPercentile(50) / OnPair.BATCH,
            result.getSecondaryResults().get(GarbageProfiler.LABEL).getScore()
        };
    }
}
