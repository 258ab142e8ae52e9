/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.jmh;

import io.verbs4j.benchmarks.harness.Side;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * A method of a benchmark: nanoseconds, and bytes of garbage, of an operation.
 *
 * @param benchmark class of the benchmark
 * @param method name of its method
 */
public record JmhSide(Class<?> benchmark, String method) implements Side {
    private static final String BYTES = "gc.alloc.rate.norm";

    @Override
    public boolean needsWarmUp() {
        return false; // JMH's part
    }

    @Override
    public double[] measure(double seconds) throws RunnerException {
        RunResult result = JmhRun.of(benchmark, method, seconds, List.of(GCProfiler.class));
        return new double[] {
            result.getPrimaryResult().getScore(),
            result.getSecondaryResults().get(BYTES).getScore()
        };
    }
}
