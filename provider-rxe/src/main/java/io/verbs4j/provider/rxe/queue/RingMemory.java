/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.Errno;
import io.verbs4j.ParentDomain;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RingAllocator;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.MappedMemory;
import java.nio.ByteBuffer;

/** Off-heap memory of a ring: the device's own, or from the allocators of a parent domain. */
public final class RingMemory {
    /**
     * The resource type passed to allocators for the inline data of a queue pair's send queue: from bit 32 on, the
     * kernel's number of the driver, as in the other vendors' types.
     */
    public static final long SEND_QUEUE = 14L << 32 | 1;

    private static final int ALIGNMENT = 64;

    private final long address;
    private final boolean mayGoAway;

    /** Keeps the memory reachable; null for an allocator's memory. */
    @SuppressWarnings("unused")
    private final ByteBuffer own;

    /** The domain whose allocators provided it; null if it is the device's own or was freed. */
    private ParentDomain giver;

    private RingMemory(ByteBuffer own) {
        this.own = own;
        this.address = NativeMemory.address(own);
        this.mayGoAway = false;
    }

    private RingMemory(ParentDomain giver, long address, boolean mayGoAway) {
        this.own = null;
        this.giver = giver;
        this.address = address;
        this.mayGoAway = mayGoAway;
    }

    /** Allocates memory of the device's own. */
    static RingMemory own(int bytes) {
        return new RingMemory(ByteBuffer.allocateDirect(Math.max(1, bytes)));
    }

    /**
     * Allocates memory for the inline data of a send queue, from the domain's allocators if it has any. Called without
     * locks.
     */
    public static RingMemory forSendQueue(ProtectionDomain domain, int maxWr, int maxInline) {
        int bytes = SendQueue.elements(maxWr) * maxInline;
        return domain instanceof ParentDomain parent && parent.allocators() != null && bytes > 0
                ? given(parent, bytes)
                : own(bytes);
    }

    private static RingMemory given(ParentDomain parent, int bytes) {
        long at = ask(parent, bytes);
        if (at == RingAllocator.USE_DEFAULT) {
            return own(bytes);
        }
        if (at == 0) {
            throw refused(Errno.ENOMEM, "the parent domain's allocator could not allocate " + bytes + " bytes", null);
        }
        MappedMemory kind = (at & ALIGNMENT - 1) != 0 ? MappedMemory.ABSENT : MappedMemory.of(at, bytes, true);
        if (kind == MappedMemory.ABSENT) {
            giveBack(parent, at);
            throw refused(
                    Errno.EFAULT,
                    "the parent domain's allocator returned 0x" + Long.toHexString(at) + ", but " + bytes
                            + " bytes there are not mapped, not writable, or not aligned to " + ALIGNMENT,
                    null);
        }
        return new RingMemory(parent, at, kind == MappedMemory.FILE);
    }

    private static long ask(ParentDomain parent, int bytes) {
        RingAllocator allocators = parent.allocators();
        try {
            return allocators.alloc(parent, parent.pdContext(), bytes, ALIGNMENT, SEND_QUEUE);
        } catch (RuntimeException | Error e) {
            throw refused(Errno.ENOMEM, "the parent domain's allocator threw " + e, e);
        }
    }

    private static VerbsException refused(int errno, String why, Throwable cause) {
        return new VerbsException(errno, "create_qp", why, cause);
    }

    private static void giveBack(ParentDomain parent, long at) {
        try {
            parent.allocators().free(parent, parent.pdContext(), at, SEND_QUEUE);
        } catch (RuntimeException | Error e) {
            // It is the program's memory, and what is closed stays closed.
            System.getLogger(RingMemory.class.getName())
                    .log(System.Logger.Level.WARNING, "a parent domain's allocator failed to free memory", e);
        }
    }

    long address() {
        return address;
    }

    /** {@return whether the memory may go away while it is in use} */
    boolean mayGoAway() {
        return mayGoAway;
    }

    /** Frees the memory, the first time. Called without locks, when it is no longer used. */
    public void free() {
        ParentDomain to = giver;
        giver = null;
        if (to != null) {
            giveBack(to, address);
        }
    }
}
