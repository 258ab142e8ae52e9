/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.testsupport.PackageGraph;
import org.junit.jupiter.api.Test;

/** Packages of this module do not depend on each other, unless listed here. */
class PackageCyclesTest {
    @Test
    void packagesDependOnEachOtherOnlyAsListed() {
        PackageGraph.ofModule(CmId.class)
                .allow(
                        "CmId makes its end by the engine and calls it by the spi; both take the API's parameters, and"
                                + " API and spi are exported and frozen",
                        "io.verbs4j.cm",
                        "io.verbs4j.cm.engine",
                        "io.verbs4j.cm.spi")
                .checkCycles();
    }
}
