/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import com.sun.management.ThreadMXBean;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * The exact number of bytes that a benchmark's operations allocate. It is counted in separate batches after each
 * iteration, in code that the iteration has had compiled. JMH's own profiler counts all threads, including JMH's record
 * of samples, and therefore never reports exactly 0.
 */
final class Garbage {
    private static final int ROUNDS = 4;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Result of the last iteration; a JVM runs only one benchmark. */
    private static volatile double bytesPerOperation;

    private final MethodHandle batch;

    /** Creates the counter for the benchmark that JMH will run. */
    Garbage(Batches benchmark, BenchmarkParams params) {
        String name = params.getBenchmark();
        try {
            batch = MethodHandles.lookup()
                    .findVirtual(
                            benchmark.getClass(),
                            name.substring(name.lastIndexOf('.') + 1),
                            MethodType.methodType(void.class))
                    .asType(MethodType.methodType(void.class, Batches.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no benchmark " + name, e);
        }
    }

    /**
     * Counts the minimum over several rounds: what every operation allocates is in all of them, what the JVM does once
     * is not. Stops early at 0.
     */
    void count(Batches benchmark) {
        int batches = benchmark.batchesOfGarbage();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && least != 0; round++) {
            long bytes = 0;
            for (int i = 0; i < batches; i++) {
                benchmark.before();
                long start = THREADS.getCurrentThreadAllocatedBytes();
                run(benchmark);
                bytes += THREADS.getCurrentThreadAllocatedBytes() - start;
                benchmark.after();
            }
            least = Math.min(least, bytes);
        }
        bytesPerOperation = (double) least / (batches * Batches.OPERATIONS);
    }

    private void run(Batches benchmark) {
        try {
            batch.invokeExact(benchmark);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the bytes per operation counted after the last iteration. */
    static double bytesPerOperation() {
        return bytesPerOperation;
    }
}
