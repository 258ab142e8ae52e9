/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import java.io.File;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;

/**
 * Makes JMH start its JVM on simulated devices. It measures nothing; it is a profiler because only a profiler may put a
 * command in front of the JVM's.
 */
public final class OnDeviceSim implements ExternalProfiler {
    /** Creates the profiler; for JMH. */
    public OnDeviceSim() {}

    @Override
    public Collection<String> addJVMInvokeOptions(BenchmarkParams params) {
        return Simulator.command(Conditions.of(params.getJvmArgs()));
    }

    @Override
    public Collection<String> addJVMOptions(BenchmarkParams params) {
        return List.of();
    }

    @Override
    public void beforeTrial(BenchmarkParams params) {}

    @Override
    public Collection<? extends Result<?>> afterTrial(BenchmarkResult result, long pid, File out, File errors) {
        return List.of();
    }

    @Override
    public boolean allowPrintOut() {
        return true;
    }

    @Override
    public boolean allowPrintErr() {
        return true;
    }

    @Override
    public String getDescription() {
        return "starts the JVM under device-sim/run";
    }
}
