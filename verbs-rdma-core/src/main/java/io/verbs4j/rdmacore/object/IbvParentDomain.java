/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.ParentDomain;
import io.verbs4j.RingAllocator;
import io.verbs4j.rdmacore.call.RingCalls;
import io.verbs4j.rdmacore.memory.KernelCopy;

/** A {@code struct ibv_pd} of a parent domain, and the program's allocator, which C calls. */
public final class IbvParentDomain extends IbvObject implements RingCalls.Source {
    private final RingCalls.Registration registration;
    private final RingAllocator allocator;
    private final Object pdContext;
    private volatile ParentDomain handle;

    /**
     * Creates the object for a {@code struct ibv_pd}.
     *
     * @param registration identifies the allocator to C; null if there is none
     */
    public IbvParentDomain(
            long address, RingCalls.Registration registration, RingAllocator allocator, Object pdContext) {
        super(address);
        this.registration = registration;
        this.allocator = allocator;
        this.pdContext = pdContext;
        if (registration != null) {
            registration.serve(this);
        }
    }

    void tellHandle(ParentDomain to) {
        handle = to;
    }

    /** Ends the registration: the domain is destroyed, and C makes no more calls. */
    public void freed() {
        if (registration != null) {
            registration.close();
        }
    }

    @Override
    public long give(long size, long alignment, long resourceType) {
        long address = allocator.alloc(handle, pdContext, size, alignment, resourceType);
        if (address == 0 || address == RingAllocator.USE_DEFAULT) {
            return address;
        }
        String wrong = null;
        if (alignment > 0 && (address & alignment - 1) != 0) {
            wrong = "which is not a multiple of " + alignment;
        } else if (!KernelCopy.clear(address, size)) { // zeroed, like the driver's own memory
            wrong = "where " + size + " bytes can't be written";
        }
        if (wrong != null) {
            IllegalArgumentException problem = new IllegalArgumentException(
                    "the allocator of " + handle + " returned 0x" + Long.toHexString(address) + ", " + wrong);
            try {
                takeBack(address, resourceType);
            } catch (RuntimeException e) {
                problem.addSuppressed(e);
            }
            throw problem;
        }
        return address;
    }

    @Override
    public void takeBack(long address, long resourceType) {
        allocator.free(handle, pdContext, address, resourceType);
    }
}
