/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

/** Does something with each of several sides. */
@FunctionalInterface
public interface SideUser {
    /**
     * Uses one.
     *
     * @param what its name
     * @param side the side
     * @throws Exception where it fails, or data was wrong
     */
    void use(String what, Side side) throws Exception;
}
