/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

/** The code that accesses the device's queues when Java posts and polls. */
enum DataPath {
    /** Java itself. */
    JAVA("java"),

    /** libmlx5, called through JNA. */
    JNA("native");

    private static final String PROPERTY = "io.verbs4j.mlx5.path";

    private final String value;

    DataPath(String value) {
        this.value = value;
    }

    /** Returns the argument for the JVM. */
    String argument() {
        return "-D" + PROPERTY + "=" + value;
    }

    /** Selects this path for devices opened from now on. */
    void set() {
        System.setProperty(PROPERTY, value);
    }
}
