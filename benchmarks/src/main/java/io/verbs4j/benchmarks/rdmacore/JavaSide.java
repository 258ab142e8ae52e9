/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Side;
import io.verbs4j.benchmarks.jmh.JmhRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * A verb called by Java: measures the median time of all batches, and the bytes that an operation allocates. The other
 * side reports the median too, because one batch during which the scheduler ran something else would weigh as much as a
 * thousand others in a mean.
 *
 * @param benchmark class of the benchmark
 * @param method name of its method
 * @param parameters the benchmark's parameters
 * @param argument an additional argument of the JVM
 * @param conditions locks and register
 */
record JavaSide(
        Class<? extends Batches> benchmark,
        String method,
        Map<String, String> parameters,
        String argument,
        Conditions conditions)
        implements Side {
    /** Property with the path of {@link Jni}'s library. */
    static final String JNI_LIBRARY = "benchmarks.jni";

    /** Returns the side of a verb of the API. */
    static JavaSide api(Class<? extends OnPair> benchmark, String method, DataPath path, Conditions conditions) {
        return new JavaSide(benchmark, method, Map.of(), path.argument(), conditions);
    }

    /** Returns the side of a JNI call, with the same preparation and checks as in {@code verbs.c}. */
    static JavaSide jni(Path library, String verb, String method, Conditions conditions) {
        return new JavaSide(
                JniBenchmark.class, method, Map.of("verb", verb), "-D" + JNI_LIBRARY + "=" + library, conditions);
    }

    @Override
    public boolean needsWarmUp() {
        return false; // JMH does this
    }

    @Override
    public double[] measure(double seconds) throws RunnerException {
        List<String> arguments = new ArrayList<>(conditions.arguments());
        arguments.add(argument);
        RunResult result = JmhRun.of(
                benchmark, method, seconds, List.of(GarbageProfiler.class, OnDeviceSim.class), parameters, arguments);
        return new double[] {
            result.getPrimaryResult().getStatistics().getPercentile(50) / Batches.OPERATIONS,
            result.getSecondaryResults().get(GarbageProfiler.LABEL).getScore()
        };
    }
}
