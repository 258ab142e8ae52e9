/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.Profiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs a benchmark method once by JMH, in a separate JVM and after a warm-up. */
public final class JmhRun {
    private JmhRun() {}

    /**
     * Allows JMH to run beside another instance. JMH's lock keeps two runs from disturbing each other. Our rounds do so
     * only in part, but another user's lock must not make a comparison fail.
     */
    public static void allowOthers() {
        System.setProperty("jmh.ignoreLock", "true");
    }

    /** Runs a benchmark method. Times are in nanoseconds. */
    public static RunResult of(
            Class<?> benchmark, String method, double seconds, List<Class<? extends Profiler>> profilers)
            throws RunnerException {
        return of(benchmark, method, seconds, profilers, Map.of(), List.of());
    }

    /** Runs a benchmark method with parameters, in a JVM with additional arguments. Times are in nanoseconds. */
    public static RunResult of(
            Class<?> benchmark,
            String method,
            double seconds,
            List<Class<? extends Profiler>> profilers,
            Map<String, String> parameters,
            List<String> arguments)
            throws RunnerException {
        List<String> all = new ArrayList<>(arguments);
        if (System.getProperty(InJvm.PROPERTY) != null) {
            all.add(System.getProperty(InJvm.PROPERTY));
        }
        TimeValue time = TimeValue.milliseconds(Math.max(1, (long) (seconds * 1000)));
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(benchmark.getName().replace(".", "\\.") + "\\." + method + "$")
                .forks(1)
                .jvmArgsAppend(all.toArray(String[]::new))
                .warmupIterations(4)
                .warmupTime(time)
                .measurementIterations(1)
                .measurementTime(time)
                .timeUnit(TimeUnit.NANOSECONDS)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true);
        profilers.forEach(options::addProfiler);
        parameters.forEach(options::param);
        return new Runner(options.build()).runSingle();
    }
}
