/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * The binding of libibverbs, by the JDK's foreign function API or JNA: the base of the providers of native devices, and
 * the provider for devices without their own. The packages are for providers of this project of the same release; there
 * is no compatibility promise for other users.
 */
@SuppressWarnings("module") // the modules named below are built after this one
module io.verbs4j.rdmacore {
    requires transitive io.verbs4j.natives;
    requires transitive io.verbs4j.spi;
    requires static io.verbs4j.cm;
    requires static jdk.jfr; // events, if the JVM has a recorder

    exports io.verbs4j.rdmacore to
            io.verbs4j.provider.efa,
            io.verbs4j.provider.gaudi,
            io.verbs4j.provider.mlx5,
            io.verbs4j.provider.rxe;
    exports io.verbs4j.rdmacore.call to
            io.verbs4j.provider.efa,
            io.verbs4j.provider.gaudi,
            io.verbs4j.provider.mlx5;
    exports io.verbs4j.rdmacore.event to
            io.verbs4j.provider.mlx5;
    exports io.verbs4j.rdmacore.flight to
            io.verbs4j.provider.efa,
            io.verbs4j.provider.gaudi,
            io.verbs4j.provider.mlx5;
    exports io.verbs4j.rdmacore.layout to
            io.verbs4j.benchmarks,
            io.verbs4j.provider.efa,
            io.verbs4j.provider.gaudi,
            io.verbs4j.provider.mlx5;
    exports io.verbs4j.rdmacore.marshal to
            io.verbs4j.benchmarks,
            io.verbs4j.provider.efa,
            io.verbs4j.provider.mlx5;
    exports io.verbs4j.rdmacore.memory to
            io.verbs4j.provider.efa,
            io.verbs4j.provider.gaudi,
            io.verbs4j.provider.mlx5;
    exports io.verbs4j.rdmacore.object to
            io.verbs4j.benchmarks,
            io.verbs4j.provider.efa,
            io.verbs4j.provider.gaudi,
            io.verbs4j.provider.mlx5;
    exports io.verbs4j.rdmacore.quirk to
            io.verbs4j.provider.efa,
            io.verbs4j.provider.gaudi,
            io.verbs4j.provider.mlx5,
            io.verbs4j.provider.rxe;
    exports io.verbs4j.rdmacore.quirk.layout to
            io.verbs4j.provider.mlx5;
    exports io.verbs4j.rdmacore.ring to
            io.verbs4j.provider.efa,
            io.verbs4j.provider.gaudi,
            io.verbs4j.provider.mlx5;

    uses io.verbs4j.rdmacore.NativeClaim;

    provides io.verbs4j.spi.VerbsProvider with
            io.verbs4j.rdmacore.RdmaCoreProvider;
}
