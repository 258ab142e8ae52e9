/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * Memory by address, calls into C and locks held for nanoseconds, shared by the rdma-core binding and the embedded
 * device. Uses the JDK's foreign function and memory API, or JNA and {@code sun.misc.Unsafe}. The packages are for
 * modules of this project of the same release; there is no compatibility promise for other users.
 */
@SuppressWarnings("module") // the modules named below are built after this one
module io.verbs4j.natives {
    requires io.verbs4j.spi;
    requires static com.sun.jna;
    requires jdk.unsupported;

    exports io.verbs4j.natives.call to
            io.verbs4j.provider.efa,
            io.verbs4j.provider.gaudi,
            io.verbs4j.provider.mlx5,
            io.verbs4j.provider.rxe,
            io.verbs4j.rdmacore;
    exports io.verbs4j.natives.lock to
            io.verbs4j.provider.efa,
            io.verbs4j.provider.gaudi,
            io.verbs4j.provider.mlx5,
            io.verbs4j.provider.rxe,
            io.verbs4j.rdmacore;
    exports io.verbs4j.natives.memory to
            io.verbs4j.devicecode,
            io.verbs4j.provider.efa,
            io.verbs4j.provider.gaudi,
            io.verbs4j.provider.mlx5,
            io.verbs4j.provider.rxe,
            io.verbs4j.rdmacore;
}
