/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.testsupport.PackageGraph;
import org.junit.jupiter.api.Test;

/** Packages of this module depend on each other only as listed here. */
class PackageCyclesTest {
    @Test
    void packagesDependOnEachOtherOnlyAsListed() {
        PackageGraph.ofModule(BulkConfig.class).checkCycles();
    }
}
