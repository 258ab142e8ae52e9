/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.local;

import io.verbs4j.benchmarks.harness.Comparison;
import io.verbs4j.benchmarks.harness.Metric;
import io.verbs4j.benchmarks.harness.Rounds;
import io.verbs4j.benchmarks.harness.Side;
import io.verbs4j.benchmarks.harness.Unit;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Time and garbage of an operation, by JMH: {@link PostBenchmark}. Each measurement is a JVM of its own. The other side is
 * what a Java program has at hand for passing work between threads, an {@code ArrayBlockingQueue}: like a queue pair and
 * a completion queue it is bounded and may be used by any thread.
 */
public final class Posting implements Comparison {
    private static final String BYTES = "gc.alloc.rate.norm";

    @Override
    public void run(Rounds rounds) throws Exception {
        // The lock is there so that two runs don't disturb each other; our rounds see to that only in part, but another
        // user's lock must not make a comparison fail.
        System.setProperty("jmh.ignoreLock", "true");
        compare(rounds, "write", "write-64B");
        compare(rounds, "list", "write-64B-list" + PostBenchmark.LIST);
        compare(rounds, "send", "send-receive-64B");
    }

    private static void compare(Rounds rounds, String method, String what) throws Exception {
        rounds.compare(
                new Measured(method + "Ours"),
                new Measured(method + "Theirs"),
                new Metric(what, Unit.NANOSECONDS),
                new Metric(what + "-garbage", Unit.BYTES_PER_OPERATION));
    }

    /** A method of the benchmark. */
    private record Measured(String method) implements Side {
        @Override
        public boolean needsWarmUp() {
            return false; // JMH's part
        }

        @Override
        public double[] measure(double seconds) throws RunnerException {
            TimeValue time = TimeValue.milliseconds(Math.max(1, (long) (seconds * 1000)));
            Options options = new OptionsBuilder()
                    .include(PostBenchmark.class.getName().replace(".", "\\.") + "\\." + method + "$")
                    .forks(1)
                    .warmupIterations(4)
                    .warmupTime(time)
                    .measurementIterations(1)
                    .measurementTime(time)
                    .timeUnit(TimeUnit.NANOSECONDS)
                    .addProfiler(GCProfiler.class)
                    .verbosity(VerboseMode.SILENT)
                    .shouldFailOnError(true)
                    .build();
            RunResult result = new Runner(options).runSingle();
            return new double[] {
                result.getPrimaryResult().getScore(),
                result.getSecondaryResults().get(BYTES).getScore()
            };
        }
    }
}
