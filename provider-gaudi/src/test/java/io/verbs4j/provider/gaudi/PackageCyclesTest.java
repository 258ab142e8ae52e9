/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.testsupport.PackageGraph;
import org.junit.jupiter.api.Test;

/** The packages of this module must not form cycles. */
class PackageCyclesTest {
    @Test
    void packagesDoNotDependOnEachOther() {
        PackageGraph.ofModule(GaudiProvider.class).checkCycles();
    }
}
