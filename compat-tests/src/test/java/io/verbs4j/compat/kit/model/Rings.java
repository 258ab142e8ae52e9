/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import static io.verbs4j.compat.kit.model.DeviceOps.no;

import io.verbs4j.Errno;
import io.verbs4j.ParentDomain;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RingAllocator;

/** Memory from a parent domain's allocator. The model does not need it, so it requests little. */
final class Rings {
    static final long QP = 1;
    static final long CQ = 2;
    static final long SRQ = 3;
    private static final long BYTES = 4096;
    private static final long ALIGNMENT = 64;

    private final ParentDomain domain;
    private final long addr;
    private final long type;

    private Rings(ParentDomain domain, long addr, long type) {
        this.domain = domain;
        this.addr = addr;
        this.type = type;
    }

    /** Allocates by the domain's allocator; returns null if there is none, or if it leaves the choice to the device. */
    static Rings of(String verb, ProtectionDomain pd, long type) {
        if (!(pd instanceof ParentDomain domain) || domain.allocators() == null || Fault.RINGS_OF_ITS_OWN.on()) {
            return null;
        }
        long addr = 0;
        try {
            addr = domain.allocators().alloc(domain, domain.pdContext(), BYTES, ALIGNMENT, type);
        } catch (RuntimeException e) {
            if (Fault.RINGS_THROW.on()) {
                throw e;
            }
        }
        if (addr == 0) {
            int errno = Fault.RINGS_EINVAL.on() ? Errno.EINVAL : Errno.ENOMEM;
            throw no(verb, errno, "the allocator has no memory");
        }
        boolean own = addr == RingAllocator.USE_DEFAULT && !Fault.RINGS_FREE_DEFAULT.on();
        return own ? null : new Rings(domain, addr, type);
    }

    static void free(Rings rings) {
        if (rings != null && !Fault.RINGS_KEPT.on()) {
            rings.domain.allocators().free(rings.domain, rings.domain.pdContext(), rings.addr, rings.type);
        }
    }
}
