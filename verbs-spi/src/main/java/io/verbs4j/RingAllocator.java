/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Where a device's rings and doorbell records get their memory: on a certain NUMA node, in huge pages, in memory that is accounted for.
 *
 * <p>Called by the thread that creates or destroys a queue pair, a completion queue or a shared receive queue of a {@link ParentDomain},
 * within that call. It must not call verbs. What it throws counts as a failure to allocate. Since level 3. Source: {@code
 * ibv_alloc_parent_domain(3)}.
 */
public interface RingAllocator {
    /** Answer of {@link #alloc}: the device may take memory of its own. Source: {@code IBV_ALLOCATOR_USE_DEFAULT}. */
    long USE_DEFAULT = -1;

    /**
     * Allocates memory.
     *
     * @param pd the parent domain
     * @param pdContext what {@link ParentDomainInitAttr#pdContext(Object)} was given, or null
     * @param size in bytes
     * @param alignment in bytes, a power of two
     * @param resourceType what for; the number is the vendor's
     * @return the address; 0 where there is no memory, which fails the call with {@link Errno#ENOMEM}; or {@link #USE_DEFAULT}
     */
    long alloc(ParentDomain pd, Object pdContext, long size, long alignment, long resourceType);

    /**
     * Takes memory back that {@link #alloc} gave; never called for {@link #USE_DEFAULT}.
     *
     * @param pd the parent domain
     * @param pdContext what {@link ParentDomainInitAttr#pdContext(Object)} was given, or null
     * @param addr the address
     * @param resourceType what for
     */
    void free(ParentDomain pd, Object pdContext, long addr, long resourceType);
}
