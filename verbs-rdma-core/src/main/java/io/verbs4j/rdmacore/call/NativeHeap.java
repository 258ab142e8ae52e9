/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import java.lang.invoke.MethodHandle;

/**
 * The C library's heap, by the foreign function API; to be used where {@link NativeBinding#isForeign} only. No error number is kept of
 * these calls: the one that somebody is about to ask for stays.
 */
public final class NativeHeap {
    private static final MethodHandle CALL1 = Foreign.handle(1);
    private static final MethodHandle CALL2 = Foreign.handle(2);
    private static final Object CALLOC = function("calloc");
    private static final Object FREE = function("free");

    private NativeHeap() {}

    private static Object function(String name) {
        return Foreign.function(Foreign.libc().address(name));
    }

    /**
     * Allocates so many bytes, all zero.
     *
     * @throws OutOfMemoryError where there are none
     */
    public static long allocate(long size) {
        long address;
        try {
            address = (long) CALL2.invokeExact(CALLOC, 1L, size);
        } catch (Throwable t) {
            throw Foreign.thrown(t);
        }
        if (address == 0) {
            throw new OutOfMemoryError("no memory outside of the heap for " + size + " bytes");
        }
        return address;
    }

    /** Frees what {@link #allocate} gave; does nothing for 0. */
    public static void free(long address) {
        try {
            long unused = (long) CALL1.invokeExact(FREE, address);
        } catch (Throwable t) {
            throw Foreign.thrown(t);
        }
    }
}
