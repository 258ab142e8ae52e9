/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.jmh;

import io.verbs4j.benchmarks.harness.Side;

/**
 * A side that JMH measures in a JVM with an additional argument.
 *
 * @param side the side
 * @param argument the argument
 */
public record InJvm(Side side, String argument) implements Side {
    /** Property of this JVM with the argument that {@link JmhRun} passes to its JVMs. */
    static final String PROPERTY = "benchmarks.jvm.argument";

    @Override
    public boolean needsWarmUp() {
        return side.needsWarmUp();
    }

    @Override
    public double[] measure(double seconds) throws Exception {
        System.setProperty(PROPERTY, argument);
        try {
            return side.measure(seconds);
        } finally {
            System.clearProperty(PROPERTY);
        }
    }
}
