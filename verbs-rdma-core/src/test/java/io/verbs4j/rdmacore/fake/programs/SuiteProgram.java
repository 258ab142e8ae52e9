/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake.programs;

import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.testsupport.program.Suite;

/** Runs the test classes of this module whose names match a pattern, in the caller's choice of JVM. */
public final class SuiteProgram {
    private SuiteProgram() {}

    public static void main(String[] args) {
        Suite.run("io.verbs4j.rdmacore", args[0]);
        System.out.println("binding " + NativeBinding.describe());
        System.exit(0);
    }
}
