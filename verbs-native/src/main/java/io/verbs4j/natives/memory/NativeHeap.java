/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.memory;

import io.verbs4j.natives.foreign.ForeignApi;
import io.verbs4j.natives.foreign.ForeignLinker;
import java.lang.invoke.MethodHandle;

/**
 * The C library's heap, through the foreign function API. These calls do not keep errno, so that they do not overwrite
 * one that a caller is about to read.
 */
final class NativeHeap {
    private static final MethodHandle CALL1 = ForeignLinker.handle(1);
    private static final MethodHandle CALL2 = ForeignLinker.handle(2);
    private static final Object CALLOC = ForeignLinker.function(ForeignLinker.find("calloc"));
    private static final Object FREE = ForeignLinker.function(ForeignLinker.find("free"));

    private NativeHeap() {}

    /**
     * Allocates {@code size} bytes, all zero.
     *
     * @throws OutOfMemoryError if there is not enough memory
     */
    static long allocate(long size) {
        long address;
        try {
            address = (long) CALL2.invokeExact(CALLOC, 1L, size);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
        if (address == 0) {
            throw new OutOfMemoryError("can't allocate " + size + " bytes outside the heap");
        }
        return address;
    }

    /** Frees memory from {@link #allocate}; does nothing for 0. */
    static void free(long address) {
        try {
            long unused = (long) CALL1.invokeExact(FREE, address);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }
}
