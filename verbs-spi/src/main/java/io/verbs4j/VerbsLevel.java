/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * The level of the verbs API: how much of it a party knows.
 *
 * <p>{@link #CURRENT} is a compile-time constant, so that javac copies it into whatever is compiled against this header:
 * it tells for ever what an application was <em>compiled</em> with. {@link #runtime()} is a method, so it tells which
 * header a program <em>runs</em> with. A program passes {@code CURRENT} when it opens a device; where the two disagree
 * the wrong way round the library says so.
 */
public final class VerbsLevel {
    /** Level 1: the base verbs. */
    public static final int BASE = 1;

    /** Level 2: the extended context, and XRC. */
    public static final int EXTENDED = 2;

    /** Level 3: completions that grow, time, and what a device can do at length. */
    public static final int COMPLETIONS = 3;

    /** Level 4: contexts, and objects in them, that several processes use. */
    public static final int SHARING = 4;

    /** The level of the header that the reader of this constant was compiled against. */
    public static final int CURRENT = SHARING;

    private VerbsLevel() {}

    /**
     * The level of the header that is loaded at run time.
     *
     * @return the level, from 1
     */
    public static int runtime() {
        return CURRENT;
    }
}
