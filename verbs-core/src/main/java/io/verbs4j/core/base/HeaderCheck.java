/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.base;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;

/**
 * Tells a header that is older than what was compiled against it. Without this the program would meet a {@code
 * NoSuchMethodError} some time later.
 */
public final class HeaderCheck {
    /** A constant of the header, copied in here by javac: the header that the library was compiled against. */
    private static final int LIBRARY_COMPILED_FOR = VerbsLevel.CURRENT;

    /** How each message ends that blames the header; none that blames something else has it. */
    public static final String REMEDY = " before it on the path, or align the versions of the io.verbs4j jars";

    private HeaderCheck() {}

    /**
     * Checks the header that is loaded.
     *
     * @param callerLevel level of the header that the program was compiled against
     */
    public static void check(String verb, int callerLevel) {
        library(verb);
        compare(verb, "the program", null, callerLevel);
    }

    /** Checks that the header that is loaded is not older than the library. */
    public static void library(String verb) {
        compare(verb, "the library", HeaderCheck.class, LIBRARY_COMPILED_FOR);
    }

    /** By a class of the library, where it is that: its words are put together where somebody is to read them. */
    private static void compare(String verb, String who, Class<?> library, int compiledFor) {
        if (compiledFor > VerbsLevel.runtime()) {
            String whose = library == null ? who : who + " (verbs-core from " + Origin.of(library) + ")";
            throw new VerbsException(
                    Errno.EPROTO, verb, mismatch(whose + " was compiled for level " + compiledFor, compiledFor));
        }
    }

    /** What is wrong and the remedy, for a party that needs a newer header than there is. */
    public static String mismatch(String whoNeedsWhat, int needed) {
        return whoNeedsWhat + ", but the header (verbs-spi) that is loaded is of level " + VerbsLevel.runtime()
                + ", from "
                + Origin.of(VerbsLevel.class) + "; put verbs-spi of at least level " + needed + REMEDY;
    }
}
