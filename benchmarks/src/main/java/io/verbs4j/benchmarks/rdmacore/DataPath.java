/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

/** Who writes and reads the device's queues when Java posts and polls. */
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

    /** What the JVM is to be given. */
    String argument() {
        return "-D" + PROPERTY + "=" + value;
    }

    /** Makes the devices that are opened from now on do so. */
    void set() {
        System.setProperty(PROPERTY, value);
    }
}
