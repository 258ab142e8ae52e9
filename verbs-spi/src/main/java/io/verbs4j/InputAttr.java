/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Map;

/**
 * Attributes that an application passes to an extended verb: how they can grow.
 *
 * <p>Each attribute that came later, or may be left out, has a bit in the mask, and its setter sets the bit. Whoever has to
 * honour an attribute refuses bits that it does not know: a new program on an old library learns that nobody has read what
 * it asked for. When the 63 bits of the first mask are used up, the top bit says that there is a second one.
 *
 * <p>Who must know a bit is told by where it lies, for every attribute class and for ever: the library passes on what is for
 * the provider alone, even where it has never heard of it.
 *
 * <pre>
 *   compMask    63        | 62 .. 56 | 55 .. 32 | 31 ......... 0
 *   compMask2   63 .. 56             | 55 .. 32 | 31 ......... 0
 *               optional             | library  | provider alone
 *               whoever does not     | library  | the provider refuses a bit that it does not
 *               know it drops it     | and      | know, EOPNOTSUPP; the library has no opinion
 *                                    | provider |
 *   bit 63 of compMask: compMask2 is not 0
 * </pre>
 *
 * <p>A bit below 32 that carries a handle, or the number that it has in C, is the library's too; the class of the mask names
 * these ({@code LIBRARY_BITS}).
 *
 * <p><strong>Reserved names:</strong> a subclass outside the header declares no method but private ones and overrides of the
 * header's, as at {@link VerbsObject}.
 *
 * <p>Since level 1; its shape is frozen. Source: {@code comp_mask} of libibverbs' structs. Not thread-safe.
 */
public abstract class InputAttr {
    /** The top bit of the mask: {@link #compMask2()} has bits. */
    public static final long COMP_MASK2 = 1L << 63;

    /** Bits of either mask that the library must know too: they carry a handle, or change what the library does. */
    public static final long LIBRARY_RANGE = 0x00ff_ffff_0000_0000L;

    /** Bits of the first mask that may be dropped by whoever does not know them. */
    public static final long OPTIONAL_RANGE = 0x7f00_0000_0000_0000L;

    /** As {@link #OPTIONAL_RANGE}, of the second mask. */
    public static final long OPTIONAL_RANGE2 = 0xff00_0000_0000_0000L;

    private long compMask;
    private long compMask2;

    /** For the attribute classes of the header. */
    protected InputAttr() {}

    /**
     * Which attributes are there.
     *
     * @return bits that the attribute class names
     */
    public final long compMask() {
        return compMask;
    }

    /**
     * Which attributes of the second mask are there.
     *
     * @return bits that the attribute class names; 0 as long as the first mask has room
     */
    public final long compMask2() {
        return compMask2;
    }

    /**
     * Sets both masks as they are given, for programs that build attributes from elsewhere; setters do it by themselves.
     *
     * @param mask the first mask; its top bit is set where the second one is not 0
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

    /** Sets a bit of the first mask where there is a value for it, and clears it where that is null. */
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
     * Whether the masks have only bits that the callee knows, or may drop; for whoever has to honour the attributes.
     *
     * @param known bits of the first mask that the callee knows
     * @param known2 bits of the second mask that it knows
     * @return false where there is any other bit, or the first mask announces a second one that is empty
     */
    public final boolean hasOnly(long known, long known2) {
        boolean announced = (compMask & COMP_MASK2) != 0;
        return (compMask & ~(known | OPTIONAL_RANGE | COMP_MASK2)) == 0
                && (compMask2 & ~(known2 | OPTIONAL_RANGE2)) == 0
                && announced == (compMask2 != 0);
    }

    /** Names by the numbers of their bits; null where a bit has none. */
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
