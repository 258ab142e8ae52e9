/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that create a parent domain: the argument of {@link Context#allocParentDomain(ParentDomainInitAttr)}.
 *
 * <p>Since level 3. Source: {@code ibv_alloc_parent_domain(3)}. Not thread-safe.
 */
public final class ParentDomainInitAttr extends InputAttr {
    private ProtectionDomain pd;
    private ThreadDomain td;
    private RingAllocator allocators;
    private Object pdContext;

    /** Creates an instance whose masks are empty. */
    public ParentDomainInitAttr() {}

    /** {@return the protection domain; not a parent domain} */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * Sets {@link #pd()}.
     *
     * @param value the protection domain; not a parent domain
     * @return this
     */
    public ParentDomainInitAttr pd(ProtectionDomain value) {
        pd = value;
        return this;
    }

    /** {@return the thread domain, or null} */
    public ThreadDomain td() {
        return td;
    }

    /**
     * Sets {@link #td()}.
     *
     * @param value the thread domain, or null
     * @return this
     */
    public ParentDomainInitAttr td(ThreadDomain value) {
        td = value;
        return this;
    }

    /** {@return the allocators of memory for rings and doorbell records; null means none} */
    public RingAllocator allocators() {
        return allocators;
    }

    /**
     * Sets {@link #allocators()} and the bit {@link ParentDomainMask#ALLOCATORS}.
     *
     * @param value allocators of memory for rings and doorbell records; null clears the bit
     * @return this
     */
    public ParentDomainInitAttr allocators(RingAllocator value) {
        allocators = value;
        mark(ParentDomainMask.ALLOCATORS, value);
        return this;
    }

    /** {@return the object that is passed to the allocators} */
    public Object pdContext() {
        return pdContext;
    }

    /**
     * Sets {@link #pdContext()} and the bit {@link ParentDomainMask#PD_CONTEXT}.
     *
     * @param value object that is passed to the allocators
     * @return this
     */
    public ParentDomainInitAttr pdContext(Object value) {
        pdContext = value;
        mark(ParentDomainMask.PD_CONTEXT);
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}
