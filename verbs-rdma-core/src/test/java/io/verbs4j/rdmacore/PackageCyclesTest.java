/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.testsupport.PackageGraph;
import org.junit.jupiter.api.Test;

/** Packages of this module do not depend on each other, unless listed here. */
class PackageCyclesTest {
    @Test
    void packagesDependOnEachOtherOnlyAsListed() {
        PackageGraph.ofModule(NativeProvider.class).checkCycles();
    }
}
