/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;

/**
 * Tells a header that is older than what was compiled against it. Without this the program would meet a {@code
 * NoSuchMethodError} some time later.
 */
final class HeaderCheck {
    /** A constant of the header, copied in here by javac: the header that the library was compiled against. */
    private static final int LIBRARY_COMPILED_FOR = VerbsLevel.CURRENT;

    private HeaderCheck() {}

    /**
     * Checks the header that is loaded.
     *
     * @param callerLevel level of the header that the program was compiled against
     */
    static void check(String verb, int callerLevel) {
        compare(verb, "the library (verbs-core)", LIBRARY_COMPILED_FOR);
        compare(verb, "the program", callerLevel);
    }

    private static void compare(String verb, String who, int compiledFor) {
        if (compiledFor > VerbsLevel.runtime()) {
            throw new VerbsException(
                    Errno.EPROTO, verb, mismatch(who + " was compiled for level " + compiledFor, compiledFor));
        }
    }

    /** What is wrong and the remedy, for a party that needs a newer header than there is. */
    static String mismatch(String whoNeedsWhat, int needed) {
        return whoNeedsWhat + ", but the header (verbs-spi) that is loaded is of level " + VerbsLevel.runtime()
                + ", from "
                + Origin.of(VerbsLevel.class) + "; put verbs-spi of at least level " + needed
                + " before it on the path, or align the versions of the io.verbs4j jars";
    }
}
