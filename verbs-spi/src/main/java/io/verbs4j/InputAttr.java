/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Map;

/**
 * Attributes that an application passes to an extended verb, in a form that can grow.
 *
 * <p>Each attribute that was added later, or may be omitted, has a bit in the mask, and its setter sets the bit. A
 * callee rejects bits that it does not know, so a new program on an old library learns that its request was not
 * understood. When the 63 bits of the first mask are used up, the top bit indicates a second mask.
 *
 * <p>The position of a bit says who must know it, for every attribute class and forever. The library passes on bits
 * that only the provider must know, even ones that it does not know itself.
 *
 * <pre>
 *   compMask    63        | 62 .. 56   | 55 .. 32    | 31 ......... 0
 *   compMask2   63 .. 56               | 55 .. 32    | 31 ......... 0
 *               optional: ignored by a | library and | only the provider, which fails with
 *               callee that does not   | provider    | EOPNOTSUPP if it does not know the
 *               know the bit           |             | bit; the library does not check it
 *   bit 63 of compMask: compMask2 is not 0
 * </pre>
 *
 * <p>The library must know some bits below 32, too, which keep their numbers from C; the mask's class lists them
 * ({@code LIBRARY_BITS}).
 *
 * <p><strong>Reserved names:</strong> a subclass outside the header declares no methods except private ones and
 * overrides of the header's, as explained at {@link VerbsObject}.
 *
 * <p>Since level 1; its shape is frozen. Source: {@code comp_mask} of libibverbs' structs. Not thread-safe.
 */
public abstract class InputAttr {
    /** The top bit of the mask: {@link #compMask2()} is not 0. */
    public static final long COMP_MASK2 = 1L << 63;

    /**
     * Bits of either mask that the library must know, too: they stand for a handle, or change what the library does.
     */
    public static final long LIBRARY_RANGE = 0x00ff_ffff_0000_0000L;

    /** Bits of the first mask that a library or provider ignores if it does not know them. */
    public static final long OPTIONAL_RANGE = 0x7f00_0000_0000_0000L;

    /** Bits of the second mask that a library or provider ignores if it does not know them. */
    public static final long OPTIONAL_RANGE2 = 0xff00_0000_0000_0000L;

    private long compMask;
    private long compMask2;

    /** Creates an instance; for the attribute classes of the header. */
    protected InputAttr() {}

    /** {@return which attributes are set, bits defined by the attribute's mask class} */
    public final long compMask() {
        return compMask;
    }

    /** {@return which attributes of the second mask are set; 0 as long as the first mask has room} */
    public final long compMask2() {
        return compMask2;
    }

    /**
     * Sets both masks directly, for programs that create attributes from another source; setters do it by themselves.
     *
     * @param mask the first mask; its top bit is set if the second one is not 0
     * @param mask2 the second mask
     */
    public final void masks(long mask, long mask2) {
        compMask = mask2 == 0 ? mask : mask | COMP_MASK2;
        compMask2 = mask2;
    }

    /**
     * Sets bits of the first mask.
     *
     * @param bits the bits
     */
    protected final void mark(long bits) {
        compMask |= bits;
    }

    /** Sets a bit of the first mask if its value is not null, and clears it otherwise. */
    final void mark(long bit, Object value) {
        masks(value == null ? compMask & ~bit : compMask | bit, compMask2);
    }

    /**
     * Sets bits of the second mask, and the top bit of the first.
     *
     * @param bits the bits
     */
    protected final void mark2(long bits) {
        masks(compMask, compMask2 | bits);
    }

    /**
     * Returns whether the masks have only bits that the callee knows, or may ignore; for callees.
     *
     * @param known bits of the first mask that the callee knows
     * @param known2 bits of the second mask that the callee knows
     * @return false if there is any other bit, or if the top bit of the first mask is wrong: it must be set exactly if
     *     the second mask is not 0
     */
    public final boolean hasOnly(long known, long known2) {
        boolean announced = (compMask & COMP_MASK2) != 0;
        return (compMask & ~(known | OPTIONAL_RANGE | COMP_MASK2)) == 0
                && (compMask2 & ~(known2 | OPTIONAL_RANGE2)) == 0
                && announced == (compMask2 != 0);
    }

    /** Returns an array of names by the numbers of their bits; null for a bit without a name. */
    static String[] names(Map<Long, String> byBit) {
        String[] names = new String[Long.SIZE];
        byBit.forEach((bit, name) -> names[Long.numberOfTrailingZeros(bit)] = name);
        return names;
    }

    static String join(long bits, String[] names) {
        StringBuilder text = new StringBuilder();
        long rest = bits;
        for (int bit = 0; bit < names.length; bit++) {
            if ((bits & 1L << bit) != 0 && names[bit] != null) {
                text.append(text.length() == 0 ? "" : "|").append(names[bit]);
                rest &= ~(1L << bit);
            }
        }
        if (rest != 0) {
            text.append(text.length() == 0 ? "" : "|").append("0x").append(Long.toHexString(rest));
        }
        return text.length() == 0 ? "0" : text.toString();
    }
}
