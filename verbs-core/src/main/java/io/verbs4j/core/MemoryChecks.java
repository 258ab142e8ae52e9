/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.AccessFlags;
import java.nio.ByteBuffer;

/** Checks of memory to be registered and of rights to it. Source: {@code ib_check_mr_access} of the Linux kernel. */
final class MemoryChecks {
    /** The rights that this level has. */
    private static final int KNOWN = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND;

    private static final int NEED_LOCAL_WRITE = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    private MemoryChecks() {}

    static void knownAccess(String verb, String name, int access) {
        if ((access & ~KNOWN) != 0) {
            throw Arguments.invalid(
                    verb,
                    name + " has bits that this library does not know: " + AccessFlags.toString(access & ~KNOWN)
                            + "; it knows " + AccessFlags.toString(KNOWN));
        }
    }

    static void access(String verb, int access) {
        knownAccess(verb, "access", access);
        if ((access & NEED_LOCAL_WRITE) != 0 && (access & AccessFlags.LOCAL_WRITE) == 0) {
            throw Arguments.invalid(
                    verb,
                    "access " + AccessFlags.toString(access)
                            + " lets others write without LOCAL_WRITE; add AccessFlags.LOCAL_WRITE");
        }
    }

    /** Addresses are unsigned. */
    static void range(String verb, long addr, long length) {
        Arguments.atLeast(verb, "length", length, 1);
        if (Long.compareUnsigned(addr + length, addr) < 0) {
            throw Arguments.invalid(
                    verb,
                    "addr 0x" + Long.toHexString(addr) + " and length " + length
                            + " reach beyond the end of the address space");
        }
    }

    static void buffer(String verb, ByteBuffer buffer, int access) {
        Arguments.notNull(verb, "buffer", buffer);
        if (!buffer.isDirect()) {
            throw Arguments.invalid(verb, "buffer is not direct; make it with ByteBuffer.allocateDirect");
        }
        if (!buffer.hasRemaining()) {
            throw Arguments.invalid(
                    verb, "buffer has nothing between its position and its limit; clear or flip it first");
        }
        writable(verb, buffer.isReadOnly(), access);
    }

    static void writable(String verb, boolean readOnly, int access) {
        if (readOnly && (access & AccessFlags.LOCAL_WRITE) != 0) {
            throw Arguments.invalid(
                    verb, "buffer is read-only and access has LOCAL_WRITE; leave the right or take a writable buffer");
        }
    }
}
