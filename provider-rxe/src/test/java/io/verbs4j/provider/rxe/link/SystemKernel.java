/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.provider.rxe.share.Kernel;
import org.junit.jupiter.api.Assumptions;

/** The system calls of one copy, for tests of other packages. */
public final class SystemKernel implements AutoCloseable {
    private final ProcessCalls.Calls calls = new ProcessCalls.Calls();

    /** Binds them; skips the test if that is impossible. */
    public SystemKernel() {
        String problem = Posix.enter();
        Assumptions.assumeTrue(problem == null, problem);
        problem = ProcessCalls.enter();
        Assumptions.assumeTrue(problem == null, problem);
    }

    public Kernel calls() {
        return calls;
    }

    @Override
    public void close() {
        calls.shut();
        ProcessCalls.exit();
        Posix.exit();
    }
}
