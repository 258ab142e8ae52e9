/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/** A set of cases that are measured side by side. */
public interface Comparison {
    /**
     * Measures all cases.
     *
     * @param rounds measures the sides of a case, and collects the figures
     * @throws MissingException if something that the comparison needs is missing
     * @throws Exception if a side fails, or the data was wrong
     */
    void run(Rounds rounds) throws Exception;
}
