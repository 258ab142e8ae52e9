/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.jmh;

import io.verbs4j.benchmarks.harness.Side;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * A method of a benchmark: nanoseconds, and bytes of garbage, of an operation.
 *
 * @param benchmark class of the benchmark
 * @param method name of its method
 * @param parameters the benchmark's parameters, of those that are not to be as it has them
 */
public record JmhSide(Class<?> benchmark, String method, Map<String, String> parameters) implements Side {
    private static final String BYTES = "gc.alloc.rate.norm";

    /** With the benchmark's own parameters. */
    public JmhSide(Class<?> benchmark, String method) {
        this(benchmark, method, Map.of());
    }

    @Override
    public boolean needsWarmUp() {
        return false; // JMH's part
    }

    @Override
    public double[] measure(double seconds) throws RunnerException {
        RunResult result = JmhRun.of(benchmark, method, seconds, List.of(GCProfiler.class), parameters, List.of());
        return new double[] {
            result.getPrimaryResult().getScore(),
            result.getSecondaryResults().get(BYTES).getScore()
        };
    }
}
