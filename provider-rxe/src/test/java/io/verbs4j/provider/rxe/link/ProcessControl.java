/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

/** What a process tells the system of itself, for tests of other packages: {@code prctl(2)}. */
public final class ProcessControl {
    private static final int PR_SET_DUMPABLE = 4;

    private ProcessControl() {}

    private static native int prctl(int option, long a, long b, long c, long d);

    /** From now on only who may trace everything may read the memory of this process. For good: the call stays bound. */
    public static void forbidReading() {
        String problem = Posix.enter();
        if (problem == null) {
            problem = JnaBinding.bind(ProcessControl.class);
        }
        if (problem != null || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
            throw new IllegalStateException("prctl: " + problem);
        }
    }
}
