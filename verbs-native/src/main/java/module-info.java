/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * Memory by address, calls into C and locks of nanoseconds: what the binding of rdma-core and the embedded device
 * share. By the JDK's foreign function and memory API, or by JNA and {@code sun.misc.Unsafe}. Its packages are for the
 * modules of this project, of the same release: nobody else is promised anything.
 */
@SuppressWarnings("module") // those who may use the packages are built after this
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
            io.verbs4j.provider.efa,
            io.verbs4j.provider.gaudi,
            io.verbs4j.provider.mlx5,
            io.verbs4j.provider.rxe,
            io.verbs4j.rdmacore;
}
