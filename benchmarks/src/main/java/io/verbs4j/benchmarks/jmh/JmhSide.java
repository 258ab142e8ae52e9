/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.jmh;

import io.verbs4j.benchmarks.harness.Side;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * A benchmark method: measures nanoseconds and bytes of garbage for each operation.
 *
 * @param benchmark class of the benchmark
 * @param method name of the method
 * @param parameters values of parameters that differ from the benchmark's defaults
 */
public record JmhSide(Class<?> benchmark, String method, Map<String, String> parameters) implements Side {
    private static final String BYTES = "gc.alloc.rate.norm";

    /** Creates a side with the benchmark's default parameters. */
    public JmhSide(Class<?> benchmark, String method) {
        this(benchmark, method, Map.of());
    }

    @Override
    public boolean needsWarmUp() {
        return false; // JMH does this
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
