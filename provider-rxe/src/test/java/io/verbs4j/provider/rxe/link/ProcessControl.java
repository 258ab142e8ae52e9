/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.natives.call.NativeFunction;

/** Process attributes for tests of other packages: {@code prctl(2)}. */
public final class ProcessControl {
    private static final int PR_SET_DUMPABLE = 4;

    private ProcessControl() {}

    private static NativeFunction prctl() {
        return NativeFunction.at(NativeBinding.libc().address("prctl"));
    }

    /**
     * Permanently restricts reading the memory of this process to those who may trace everything. The call stays bound.
     */
    public static void forbidReading() {
        String problem = Posix.enter();
        if (problem != null || (int) prctl().call(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
            throw new IllegalStateException("prctl: " + problem);
        }
    }
}
