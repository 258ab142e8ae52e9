/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say which attributes of a {@link DmahInitAttr} are set.
 *
 * <p>{@link InputAttr} explains the ranges of bits. Since level 4. Source: {@code ibv_alloc_dmah(3)},
 * {@code IBV_DMAH_INIT_ATTR_MASK_*}.
 */
public final class DmahInitAttrMask {
    /** Bit: the processor. Source: {@code IBV_DMAH_INIT_ATTR_MASK_CPU_ID}. */
    public static final long CPU_ID = 1L << 0;

    /** Bit: the processing hint. Source: {@code IBV_DMAH_INIT_ATTR_MASK_PH}. */
    public static final long PH = 1L << 1;

    /** Bit: the kind of memory. Source: {@code IBV_DMAH_INIT_ATTR_MASK_TPH_MEM_TYPE}. */
    public static final long TPH_MEM_TYPE = 1L << 2;

    private static final String[] NAMES = {
        "CPU_ID", "PH", "TPH_MEM_TYPE",
    };

    private DmahInitAttrMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "CPU_ID"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long mask) {
        return InputAttr.join(mask, NAMES);
    }
}
