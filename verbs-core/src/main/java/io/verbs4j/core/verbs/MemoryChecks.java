/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.core.base.LibraryLevel;
import io.verbs4j.core.base.Origin;
import java.nio.ByteBuffer;

/**
 * Checks of memory to be registered and of its access rights. Source: {@code ib_check_mr_access} of the Linux kernel.
 */
final class MemoryChecks {
    private static final int NEED_LOCAL_WRITE = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    private MemoryChecks() {}

    /** Refuses rights in the library's range, of which this level knows none. The provider judges the others. */
    static void knownAccess(String verb, String name, int access) {
        int unknown = access & AccessFlags.LIBRARY_RANGE;
        if (unknown != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    name + " has bits that a library must know, and this one does not: " + AccessFlags.toString(unknown)
                            + "; verbs-core from " + Origin.of(LibraryLevel.class) + " is level "
                            + LibraryLevel.CURRENT
                            + ". Use a newer verbs-core, or do without those rights");
        }
    }

    static void access(String verb, int access) {
        knownAccess(verb, "access", access);
        if ((access & NEED_LOCAL_WRITE) != 0 && (access & AccessFlags.LOCAL_WRITE) == 0) {
            throw Arguments.invalid(
                    verb,
                    "access " + AccessFlags.toString(access)
                            + " allows remote writes or atomics without LOCAL_WRITE; add AccessFlags.LOCAL_WRITE");
        }
    }

    /** Addresses are unsigned. */
    static void range(String verb, long addr, long length) {
        Arguments.atLeast(verb, "length", length, 1);
        if (Long.compareUnsigned(addr + length, addr) < 0) {
            throw Arguments.invalid(
                    verb,
                    "addr 0x" + Long.toHexString(addr) + " and length " + length
                            + " extend beyond the end of the address space");
        }
    }

    static void buffer(String verb, ByteBuffer buffer, int access) {
        Arguments.notNull(verb, "buffer", buffer);
        if (!buffer.isDirect()) {
            throw Arguments.invalid(verb, "buffer is not direct; allocate it with ByteBuffer.allocateDirect");
        }
        if (!buffer.hasRemaining()) {
            throw Arguments.invalid(
                    verb, "buffer has no bytes between its position and its limit; clear or flip it first");
        }
        writable(verb, buffer.isReadOnly(), access);
    }

    static void writable(String verb, boolean readOnly, int access) {
        if (readOnly && (access & AccessFlags.LOCAL_WRITE) != 0) {
            throw Arguments.invalid(
                    verb, "buffer is read-only, but access has LOCAL_WRITE; drop that right or use a writable buffer");
        }
    }
}
