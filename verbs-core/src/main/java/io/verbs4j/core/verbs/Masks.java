/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.core.base.LibraryLevel;
import io.verbs4j.core.base.Origin;
import java.util.function.LongFunction;

/**
 * Checks of the masks of extended attributes. The library refuses unknown bits in its own range, which it would not
 * honour, and passes on the provider's bits, known or not.
 */
final class Masks {
    private Masks() {}

    /** Refuses bits in the library's range, for attributes of which this level knows no bit. */
    static void check(String verb, InputAttr attr) {
        check(verb, attr, 0, 0, mask -> "none");
    }

    /**
     * Refuses unknown bits in the library's range.
     *
     * @param known bits that this level knows
     * @param libraryBits bits below 32 that are the library's too
     */
    static void check(String verb, InputAttr attr, long known, long libraryBits, LongFunction<String> names) {
        if (!attr.hasOnly(~0L, ~0L)) {
            throw Arguments.invalid(
                    verb, "the first mask announces a second mask, which is empty; use InputAttr.masks to set both");
        }
        long unknown = attr.compMask() & (libraryBits | InputAttr.LIBRARY_RANGE) & ~known;
        long unknown2 = attr.compMask2() & InputAttr.LIBRARY_RANGE;
        if (unknown == 0 && unknown2 == 0) {
            return;
        }
        String second = unknown2 == 0 ? "" : " and 0x" + Long.toHexString(unknown2) + " in the second mask";
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                verb,
                "the mask has bits that this library does not know: 0x" + Long.toHexString(unknown) + second
                        + "; verbs-core from " + Origin.of(LibraryLevel.class) + " is level " + LibraryLevel.CURRENT
                        + " and knows "
                        + names.apply(known) + ". Use a newer verbs-core, or do without those attributes");
    }

    static void need(String verb, InputAttr attr, long needed, LongFunction<String> names) {
        long missing = needed & ~attr.compMask();
        if (missing != 0) {
            throw Arguments.invalid(
                    verb,
                    "the mask lacks " + names.apply(missing) + "; set these attributes: each setter sets its bit");
        }
    }

    /** Refuses attributes that have no effect here. */
    static void none(String verb, InputAttr attr, long senseless, String why, LongFunction<String> names) {
        long surplus = senseless & attr.compMask();
        if (surplus != 0) {
            throw Arguments.invalid(verb, names.apply(surplus) + " is set, but " + why + "; leave it out");
        }
    }
}
