/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.testsupport.PackageGraph;
import org.junit.jupiter.api.Test;

/** Packages of this module do not depend on each other. */
class PackageCyclesTest {
    @Test
    void packagesDependOnEachOtherOnlyAsListed() {
        PackageGraph.ofModule(NativeMemory.class).checkCycles();
    }
}
