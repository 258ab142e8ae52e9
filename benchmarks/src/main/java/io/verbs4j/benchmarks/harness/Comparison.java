/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/** Things that are measured side by side. */
public interface Comparison {
    /**
     * Measures them all.
     *
     * @param rounds measures a pair, and takes the figures
     * @throws MissingException where something that it needs is not there
     * @throws Exception where a side fails, or data was wrong
     */
    void run(Rounds rounds) throws Exception;
}
