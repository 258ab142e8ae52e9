/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that say which attributes of a {@link RegMrAttrEx} are set.
 *
 * <p>{@link InputAttr} explains the ranges of bits. Since level 3. Source: {@code ibv_reg_mr_ex(3)},
 * {@code IBV_REG_MR_MASK_*}.
 */
public final class RegMrMask {
    /** Bit: the address by which work requests refer to the first byte. Source: {@code IBV_REG_MR_MASK_IOVA}. */
    public static final long IOVA = 1L << 0;

    /** Bit: the first address of memory. Source: {@code IBV_REG_MR_MASK_ADDR}. */
    public static final long ADDR = 1L << 1;

    /** Bit: a dma-buf. Source: {@code IBV_REG_MR_MASK_FD}. */
    public static final long FD = 1L << 2;

    /** Bit: the offset in the dma-buf at which the memory starts. Source: {@code IBV_REG_MR_MASK_FD_OFFSET}. */
    public static final long FD_OFFSET = 1L << 3;

    /** Bit: hints for accesses over PCIe. Since level 4. Source: {@code IBV_REG_MR_MASK_DMAH}. */
    public static final long DMAH = 1L << 4;

    /** Bit: memory of a {@link DmaBuffer}. Since level 4. Source: {@code IBV_REG_MR_MASK_BUF}. */
    public static final long BUF = 1L << 5;

    /** Bit: memory, as a buffer. C has only addresses; the library determines the address of a buffer. */
    public static final long BUFFER = 1L << 32;

    /** Bits below 32 that the library must know, too: what the memory is, and handles. */
    public static final long LIBRARY_BITS = IOVA | ADDR | FD | FD_OFFSET | DMAH | BUF;

    private static final String[] NAMES = new String[33];

    static {
        NAMES[0] = "IOVA";
        NAMES[1] = "ADDR";
        NAMES[2] = "FD";
        NAMES[3] = "FD_OFFSET";
        NAMES[4] = "DMAH";
        NAMES[5] = "BUF";
        NAMES[32] = "BUFFER";
    }

    private RegMrMask() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param mask bits of this class
     * @return for instance {@code "IOVA"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long mask) {
        return InputAttr.join(mask, NAMES);
    }
}
