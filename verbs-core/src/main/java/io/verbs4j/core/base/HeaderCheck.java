/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.base;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;

/**
 * Detects a loaded header that is older than the one something was compiled against. Otherwise the program would get a
 * {@code NoSuchMethodError} later.
 */
public final class HeaderCheck {
    /** The header that the library was compiled against: a constant that javac copies here. */
    private static final int LIBRARY_COMPILED_FOR = VerbsLevel.CURRENT;

    /** The end of every message that blames the header, and of no other. */
    public static final String REMEDY = " before it on the path, or align the versions of the io.verbs4j jars";

    private HeaderCheck() {}

    /**
     * Checks the loaded header.
     *
     * @param callerLevel level of the header that the program was compiled against
     */
    public static void check(String verb, int callerLevel) {
        library(verb);
        compare(verb, "the program", null, callerLevel);
    }

    /** Checks that the loaded header is not older than the library. */
    public static void library(String verb) {
        compare(verb, "the library", HeaderCheck.class, LIBRARY_COMPILED_FOR);
    }

    /** Takes a class of the library, if that is the party, so that its location is only looked up for a message. */
    private static void compare(String verb, String who, Class<?> library, int compiledFor) {
        if (compiledFor > VerbsLevel.runtime()) {
            String whose = library == null ? who : who + " (verbs-core from " + Origin.of(library) + ")";
            throw new VerbsException(
                    Errno.EPROTO, verb, mismatch(whose + " was compiled for level " + compiledFor, compiledFor));
        }
    }

    /** Describes the problem and the remedy for a party that needs a newer header. */
    public static String mismatch(String whoNeedsWhat, int needed) {
        return whoNeedsWhat + ", but the loaded header (verbs-spi) is level " + VerbsLevel.runtime()
                + ", from "
                + Origin.of(VerbsLevel.class) + "; put verbs-spi of at least level " + needed + REMEDY;
    }
}
