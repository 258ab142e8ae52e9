/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * How a parent domain is made: the argument of {@link Context#allocParentDomain(ParentDomainInitAttr)}.
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

    /** {@return the protection domain; no parent domain} */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * Sets {@link #pd()}.
     *
     * @param value the protection domain; no parent domain
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

    /** {@return where rings and doorbell records get their memory; {@code null} is the same as none} */
    public RingAllocator allocators() {
        return allocators;
    }

    /**
     * Sets {@link #allocators()} and the bit {@link ParentDomainMask#ALLOCATORS}.
     *
     * @param value where rings and doorbell records get their memory; null clears the bit, as if it had never been set
     * @return this
     */
    public ParentDomainInitAttr allocators(RingAllocator value) {
        allocators = value;
        mark(ParentDomainMask.ALLOCATORS, value);
        return this;
    }

    /** {@return object that the allocators are given} */
    public Object pdContext() {
        return pdContext;
    }

    /**
     * Sets {@link #pdContext()} and the bit {@link ParentDomainMask#PD_CONTEXT}.
     *
     * @param value object that the allocators are given
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
