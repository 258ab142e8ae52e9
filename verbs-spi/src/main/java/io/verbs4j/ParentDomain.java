/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A parent domain: a protection domain with a thread domain and allocators, for queue pairs, shared receive queues and completion queues
 * that are made with it. Whatever may be used together with the protection domain may be used with the parent domain.
 *
 * <p>Providers subclass it. Closed like a protection domain, and before those that it is made of. All methods may be called from any
 * thread. Since level 3. Source: {@code ibv_alloc_parent_domain(3)}.
 */
public abstract class ParentDomain extends ProtectionDomain {
    private final ProtectionDomain pd;
    private final ThreadDomain td;
    private final RingAllocator allocators;
    private final Object pdContext;

    /**
     * Creates the handle; for providers.
     *
     * @param attr what it is made of
     */
    protected ParentDomain(ParentDomainInitAttr attr) {
        super(attr.pd().context());
        this.pd = attr.pd();
        this.td = attr.td();
        this.allocators = attr.allocators();
        this.pdContext = attr.pdContext();
    }

    /**
     * The protection domain that it is made of.
     *
     * @return the domain
     */
    public final ProtectionDomain pd() {
        return pd;
    }

    /**
     * The thread domain that it is made of.
     *
     * @return the domain, or null
     */
    public final ThreadDomain td() {
        return td;
    }

    /**
     * Where rings get their memory.
     *
     * @return the allocators, or null
     */
    public final RingAllocator allocators() {
        return allocators;
    }

    /**
     * What the allocators are given.
     *
     * @return the object, or null
     */
    public final Object pdContext() {
        return pdContext;
    }
}
