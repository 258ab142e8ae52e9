/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/** Passes the result of {@link Garbage} to JMH, which returns it to the JVM that started the benchmark. */
public final class GarbageProfiler implements InternalProfiler {
    /** Name of the result. */
    static final String LABEL = "garbage";

    /** Creates the profiler; for JMH. */
    public GarbageProfiler() {}

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {}

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        return List.of(new ScalarResult(LABEL, Garbage.bytesPerOperation(), "B/op", AggregationPolicy.AVG));
    }

    @Override
    public String getDescription() {
        return "bytes allocated per operation";
    }
}
