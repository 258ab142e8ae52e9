/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.VerbsException;
import java.util.function.LongFunction;

/** Checks of the masks of extended attributes: the library refuses what it does not know, because it would not do it. */
final class Masks {
    private Masks() {}

    /** Refuses bits that the library does not know; no attribute class of this level has a second mask. */
    static void check(String verb, InputAttr attr, long known, LongFunction<String> names) {
        if (attr.hasOnly(known, 0)) {
            return;
        }
        long unknown = attr.compMask() & ~known;
        String second =
                attr.compMask2() == 0 ? "" : " and 0x" + Long.toHexString(attr.compMask2()) + " in the second mask";
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                verb,
                "the mask has bits that this library does not know: 0x" + Long.toHexString(unknown) + second
                        + "; verbs-core from " + Origin.of(Library.class) + " is of level " + Library.LEVEL
                        + " and knows "
                        + names.apply(known) + ". Take a newer verbs-core, or do without those attributes");
    }

    static void need(String verb, InputAttr attr, long needed, LongFunction<String> names) {
        long missing = needed & ~attr.compMask();
        if (missing != 0) {
            throw Arguments.invalid(
                    verb,
                    "the mask lacks " + names.apply(missing) + "; set these attributes: each setter sets its bit");
        }
    }

    /** Refuses attributes that make no sense here, so that nobody believes that they did something. */
    static void none(String verb, InputAttr attr, long senseless, String why, LongFunction<String> names) {
        long surplus = senseless & attr.compMask();
        if (surplus != 0) {
            throw Arguments.invalid(verb, names.apply(surplus) + " is set, but " + why + "; leave it out");
        }
    }
}
