/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.testsupport.PackageGraph;
import org.junit.jupiter.api.Test;

/** Packages of this module do not depend on each other, unless listed here. */
class PackageCyclesTest {
    @Test
    void packagesDependOnEachOtherOnlyAsListed() {
        PackageGraph.ofModule(Mlx5Provider.class)
                .allow(
                        "to be ended",
                        "io.verbs4j.mlx5dv",
                        "io.verbs4j.mlx5dv.steering",
                        "io.verbs4j.provider.mlx5",
                        "io.verbs4j.provider.mlx5.dv",
                        "io.verbs4j.provider.mlx5.ring")
                .checkCycles();
    }
}
