/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Allocates memory for a device's rings and doorbell records: on a certain NUMA node, in huge pages, or in memory that
 * is accounted for.
 *
 * <p>Called in the thread that creates or destroys a queue pair, a completion queue or a shared receive queue of a
 * {@link ParentDomain}, within that call. It must not call verbs. An exception counts as a failure to allocate. Since
 * level 3. Source: {@code ibv_alloc_parent_domain(3)}.
 */
public interface RingAllocator {
    /** Result of {@link #alloc}: the device allocates the memory itself. Source: {@code IBV_ALLOCATOR_USE_DEFAULT}. */
    long USE_DEFAULT = -1;

    /**
     * Allocates memory.
     *
     * @param pd the parent domain
     * @param pdContext object given to {@link ParentDomainInitAttr#pdContext(Object)}, or null
     * @param size size in bytes
     * @param alignment alignment in bytes, a power of two
     * @param resourceType what the memory is for; the vendor defines the numbers
     * @return the address; 0 if there is no memory, which fails the call with {@link Errno#ENOMEM}; or
     *     {@link #USE_DEFAULT}
     */
    long alloc(ParentDomain pd, Object pdContext, long size, long alignment, long resourceType);

    /**
     * Frees memory that {@link #alloc} returned; never called for {@link #USE_DEFAULT}.
     *
     * @param pd the parent domain
     * @param pdContext object given to {@link ParentDomainInitAttr#pdContext(Object)}, or null
     * @param addr the address
     * @param resourceType what the memory was for
     */
    void free(ParentDomain pd, Object pdContext, long addr, long resourceType);
}
