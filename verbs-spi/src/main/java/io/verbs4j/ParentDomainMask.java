/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say which attributes of a {@link ParentDomainInitAttr} are set.
 *
 * <p>{@link InputAttr} explains the ranges of bits. Since level 3. Source: {@code ibv_alloc_parent_domain(3)},
 * {@code IBV_PARENT_DOMAIN_INIT_ATTR_*}.
 */
public final class ParentDomainMask {
    /** Bit: allocators of memory for rings. Source: {@code IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS}. */
    public static final long ALLOCATORS = 1L << 0;

    /** Bit: an object for the allocators. Source: {@code IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT}. */
    public static final long PD_CONTEXT = 1L << 1;

    /** Bits below 32 that the library must know, too: there are none. */
    public static final long LIBRARY_BITS = 0;

    private static final String[] NAMES = {
        "ALLOCATORS", "PD_CONTEXT",
    };

    private ParentDomainMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "ALLOCATORS"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long mask) {
        return InputAttr.join(mask, NAMES);
    }
}
