/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * The level of the verbs API: how much of it a party knows.
 *
 * <p>{@link #CURRENT} is a compile-time constant, which javac copies into whatever is compiled against this header: it
 * says what an application was <em>compiled</em> with. {@link #runtime()} is a method, so it says which header a
 * program <em>runs</em> with. A program passes {@code CURRENT} when it opens a device; if it is newer than the header
 * at run time, the library reports that.
 */
public final class VerbsLevel {
    /** Level 1: the base verbs. */
    public static final int BASE = 1;

    /** Level 2: the extended context and XRC. */
    public static final int EXTENDED = 2;

    /** Level 3: extensible completions, time stamps and extended device attributes. */
    public static final int COMPLETIONS = 3;

    /** Level 4: sharing of contexts and their objects between processes. */
    public static final int SHARING = 4;

    /** The level of the header that the reader of this constant was compiled against. */
    public static final int CURRENT = SHARING;

    private VerbsLevel() {}

    /** {@return the level of the header that is loaded at run time, from 1} */
    public static int runtime() {
        return CURRENT;
    }
}
