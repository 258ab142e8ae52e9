/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/** One of the two things compared. */
@FunctionalInterface
public interface Side {
    /**
     * Measures once, and checks that the data were right.
     *
     * @param seconds how long to measure, about
     * @return a value for each metric
     * @throws Exception where it fails, or data was wrong
     */
    double[] measure(double seconds) throws Exception;

    /** Whether it must be run for a while before it is measured; not where it sees to that itself. */
    default boolean needsWarmUp() {
        return true;
    }
}
