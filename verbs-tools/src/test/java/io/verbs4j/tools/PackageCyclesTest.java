/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools;

import io.verbs4j.testsupport.PackageGraph;
import org.junit.jupiter.api.Test;

/** Packages of this module do not depend on each other, unless listed here. */
class PackageCyclesTest {
    @Test
    void packagesDependOnEachOtherOnlyAsListed() {
        PackageGraph.ofModule(Main.class)
                .allow(
                        "to be ended",
                        "io.verbs4j.tools",
                        "io.verbs4j.tools.bench",
                        "io.verbs4j.tools.cm",
                        "io.verbs4j.tools.copy",
                        "io.verbs4j.tools.device",
                        "io.verbs4j.tools.net",
                        "io.verbs4j.tools.ping",
                        "io.verbs4j.tools.pingpong",
                        "io.verbs4j.tools.process",
                        "io.verbs4j.tools.top",
                        "io.verbs4j.tools.traffic")
                .checkCycles();
    }
}
