/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.testsupport.PackageGraph;
import org.junit.jupiter.api.Test;

/** Packages of this module do not depend on each other. */
class PackageCyclesTest {
    @Test
    void packagesDoNotDependOnEachOther() {
        PackageGraph.ofModule(Mlx5Provider.class).checkCycles();
    }
}
