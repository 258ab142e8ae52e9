/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A benchmark's method makes {@link #OPERATIONS}, and JMH looks at the clock before and after it, but not while {@link
 * #before} and {@link #after} run. {@link JavaSide} divides by their number.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class Batches {
    /** Requests of each kind. */
    static final int BATCH = 64;

    /**
     * How often each is posted between two looks at the clock: what a first call costs more after other work, and what it costs
     * to look, is not asked here.
     */
    static final int REPEATS = 4;

    /** Operations between two looks at the clock. */
    static final int OPERATIONS = BATCH * REPEATS;

    private Garbage garbage;

    /** Errors of the verbs that were timed, or'ed. */
    int error;

    /** Makes what the batches need. */
    @Setup
    public void open(BenchmarkParams params) {
        garbage = new Garbage(this, params);
        open();
    }

    abstract void open();

    /** What is to be done before a batch. */
    @Setup(Level.Invocation)
    public abstract void before();

    /** What is to be done after a batch. */
    @TearDown(Level.Invocation)
    public abstract void after();

    /** Makes some batches more, and counts what they allocate. */
    @TearDown(Level.Iteration)
    public void countGarbage() {
        garbage.count(this);
    }

    /** In so many batches garbage is counted, some times over. */
    int batchesOfGarbage() {
        return 250;
    }

    /** Closes what was made. */
    @TearDown
    public abstract void close();
}
