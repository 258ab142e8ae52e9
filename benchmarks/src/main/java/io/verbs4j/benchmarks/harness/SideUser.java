/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/** An action on each of several sides. */
@FunctionalInterface
public interface SideUser {
    /**
     * Uses a side.
     *
     * @param what name of the side
     * @param side the side
     * @throws Exception if it fails, or the data was wrong
     */
    void use(String what, Side side) throws Exception;
}
