/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A parent domain: a protection domain with a thread domain and allocators, for queue pairs, shared receive queues and
 * completion queues that are created with it. Objects that can be used together with the protection domain can also be
 * used with the parent domain.
 *
 * <p>Providers subclass it. It is closed like a protection domain, and before the domains that it consists of. All
 * methods may be called from any thread. Since level 3. Source: {@code ibv_alloc_parent_domain(3)}.
 */
public abstract class ParentDomain extends ProtectionDomain {
    private final ProtectionDomain pd;
    private final ThreadDomain td;
    private final RingAllocator allocators;
    private final Object pdContext;

    /**
     * Creates the handle; for providers.
     *
     * @param attr domains and allocators that it consists of
     */
    protected ParentDomain(ParentDomainInitAttr attr) {
        super(attr.pd().context());
        this.pd = attr.pd();
        this.td = attr.td();
        this.allocators = attr.allocators();
        this.pdContext = attr.pdContext();
    }

    /** {@return the protection domain that it consists of} */
    public final ProtectionDomain pd() {
        return pd;
    }

    /** {@return the thread domain, or null} */
    public final ThreadDomain td() {
        return td;
    }

    /** {@return the allocators of memory for rings, or null} */
    public final RingAllocator allocators() {
        return allocators;
    }

    /** {@return the object that is passed to the allocators, or null} */
    public final Object pdContext() {
        return pdContext;
    }
}
