/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import io.verbs4j.rdmacore.call.NativeBinding;
import java.nio.ByteBuffer;

/** Whether this JVM lets {@link NativeMemory} touch memory by address; apart, because that class can't be used where it does not. */
public final class MemoryAccess {
    private static final String PROBLEM = probe();

    private MemoryAccess() {}

    /** Why it does not, and what to do; null where it does. */
    public static String problem() {
        return PROBLEM;
    }

    private static String probe() {
        try {
            NativeMemory.address(ByteBuffer.allocateDirect(1));
            return null;
        } catch (LinkageError e) {
            Throwable cause = e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
            String unsafe = cause instanceof UnsupportedOperationException
                    ? "--sun-misc-unsafe-memory-access=allow"
                    : "the module jdk.unsupported";
            String grant = NativeBinding.grant();
            return "the binding of rdma-core needs memory by address through sun.misc.Unsafe, and this JVM does not allow it ("
                    + cause
                    + "), as C is called by " + NativeBinding.describe() + ": start it with "
                    + (grant == null ? unsafe : grant + ", or with " + unsafe);
        }
    }
}
