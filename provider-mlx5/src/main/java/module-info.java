/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * The provider of NVIDIA ConnectX devices: control verbs through libmlx5, and a data path in Java over the device's own
 * queues.
 */
@SuppressWarnings("module") // the driver is called mlx5; a digit at the end is part of its name
module io.verbs4j.provider.mlx5 {
    requires transitive io.verbs4j.spi;
    requires io.verbs4j.rdmacore;
    requires static com.sun.jna;
    requires static io.verbs4j.devicecode; // for programs that have it

    exports io.verbs4j.mlx5dv;
    exports io.verbs4j.mlx5dv.steering;

    provides io.verbs4j.rdmacore.NativeClaim with
            io.verbs4j.provider.mlx5.Mlx5Provider;
    provides io.verbs4j.spi.VerbsProvider with
            io.verbs4j.provider.mlx5.Mlx5Provider;
}
