/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/** One of the two sides of a comparison. */
@FunctionalInterface
public interface Side {
    /**
     * Measures once, and checks that the data was right.
     *
     * @param seconds approximate duration of the measurement
     * @return a value for each metric
     * @throws Exception if it fails, or the data was wrong
     */
    double[] measure(double seconds) throws Exception;

    /** Returns whether to run this side for a while before measuring; false for a side that warms up by itself. */
    default boolean needsWarmUp() {
        return true;
    }
}
