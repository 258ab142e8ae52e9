/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.nio.ByteBuffer;

/** Whether this JVM lets {@link Memory} touch memory by address; apart, because that class can't be used where it does not. */
public final class MemoryAccess {
    private static final String PROBLEM = probe();

    private MemoryAccess() {}

    /** Why it does not, and what to do; null where it does. */
    public static String problem() {
        return PROBLEM;
    }

    private static String probe() {
        try {
            Memory.address(ByteBuffer.allocateDirect(1));
            return null;
        } catch (LinkageError e) {
            Throwable cause = e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
            return "the device needs memory by address through sun.misc.Unsafe, and this JVM does not allow it ("
                    + cause
                    + "): start it with "
                    + (cause instanceof UnsupportedOperationException
                            ? "--sun-misc-unsafe-memory-access=allow"
                            : "the module jdk.unsupported");
        }
    }
}
