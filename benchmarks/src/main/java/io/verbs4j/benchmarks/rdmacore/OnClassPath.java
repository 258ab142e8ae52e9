/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.benchmarks.harness.Side;

/**
 * A side that JMH measures with other libraries: JMH starts its JVMs with the class path that this JVM's property
 * names.
 *
 * @param side the side
 * @param classPath class path with the other libraries instead of today's
 */
record OnClassPath(Side side, String classPath) implements Side {
    /** Property of this JVM with the class path. */
    static final String PROPERTY = "java.class.path";

    @Override
    public boolean needsWarmUp() {
        return side.needsWarmUp();
    }

    @Override
    public double[] measure(double seconds) throws Exception {
        String own = System.setProperty(PROPERTY, classPath);
        try {
            return side.measure(seconds);
        } finally {
            System.setProperty(PROPERTY, own);
        }
    }
}
