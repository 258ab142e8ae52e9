/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import java.util.List;

/** Who writes and reads the device's queues when Java posts and polls. */
enum DataPath {
    /** Java itself. */
    JAVA("java"),

    /** libmlx5, called through JNA. */
    JNA("native");

    /** Tells the JVM, and by {@link OnDeviceSim} libmlx5, that one thread at a time uses a queue. */
    static final String SINGLE_THREADED = "-Dio.verbs4j.mlx5.single-threaded=true";

    private final String property;

    DataPath(String property) {
        this.property = "-Dio.verbs4j.mlx5.path=" + property;
    }

    /** What the JVM is to be given. */
    List<String> arguments(boolean singleThreaded) {
        return singleThreaded ? List.of(property, SINGLE_THREADED) : List.of(property);
    }
}
