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
 * Base of benchmarks whose methods each run {@link #OPERATIONS} operations. JMH reads the clock before and after a
 * method, but not around {@link #before} and {@link #after}. {@link JavaSide} divides the time by the number of
 * operations.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class Batches {
    /** Number of requests in a batch. */
    static final int BATCH = 64;

    /**
     * Number of times that each request is posted between two clock readings. This spreads the extra cost of a first
     * call after other work, and of reading the clock, neither of which is of interest here.
     */
    static final int REPEATS = 4;

    /** Number of operations between two clock readings. */
    static final int OPERATIONS = BATCH * REPEATS;

    private Garbage garbage;

    /** Errors of the timed verbs, ORed together. */
    int error;

    /** Creates what the batches need. */
    @Setup
    public void open(BenchmarkParams params) {
        garbage = new Garbage(this, params);
        open();
    }

    abstract void open();

    /** Prepares a batch. */
    @Setup(Level.Invocation)
    public abstract void before();

    /** Finishes and checks a batch. */
    @TearDown(Level.Invocation)
    public abstract void after();

    /** Runs some additional batches, and counts the bytes that they allocate. */
    @TearDown(Level.Iteration)
    public void countGarbage() {
        garbage.count(this);
    }

    /** Returns the number of batches in a round of counting garbage. */
    int batchesOfGarbage() {
        return 250;
    }

    /** Closes what was created. */
    @TearDown
    public abstract void close();
}
