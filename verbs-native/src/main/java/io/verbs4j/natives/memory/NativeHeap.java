/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import io.verbs4j.natives.foreign.ForeignApi;
import io.verbs4j.natives.foreign.ForeignLinker;
import java.lang.invoke.MethodHandle;

/**
 * The C library's heap, by the foreign function API. No error number is kept of these calls: the one that somebody is
 * about to ask for stays.
 */
final class NativeHeap {
    private static final MethodHandle CALL1 = ForeignLinker.handle(1);
    private static final MethodHandle CALL2 = ForeignLinker.handle(2);
    private static final Object CALLOC = ForeignLinker.function(ForeignLinker.find("calloc"));
    private static final Object FREE = ForeignLinker.function(ForeignLinker.find("free"));

    private NativeHeap() {}

    /**
     * Allocates so many bytes, all zero.
     *
     * @throws OutOfMemoryError where there are none
     */
    static long allocate(long size) {
        long address;
        try {
            address = (long) CALL2.invokeExact(CALLOC, 1L, size);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
        if (address == 0) {
            throw new OutOfMemoryError("no memory outside of the heap for " + size + " bytes");
        }
        return address;
    }

    /** Frees what {@link #allocate} gave; does nothing for 0. */
    static void free(long address) {
        try {
            long unused = (long) CALL1.invokeExact(FREE, address);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }
}
