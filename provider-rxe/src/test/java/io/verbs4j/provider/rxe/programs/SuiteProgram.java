/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.programs;

import io.verbs4j.natives.memory.MemoryAccess;
import io.verbs4j.testsupport.program.Suite;

/** Runs test classes of this module whose names match a pattern, in a JVM chosen by the caller. */
public final class SuiteProgram {
    private SuiteProgram() {}

    public static void main(String[] args) {
        Suite.run("io.verbs4j.provider.rxe", args[0]);
        System.out.println("binding " + (MemoryAccess.isForeign() ? "ffm" : "jna"));
        System.exit(0);
    }
}
