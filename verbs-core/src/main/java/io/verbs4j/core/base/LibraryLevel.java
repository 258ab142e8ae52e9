/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.base;

/** The level of the library. */
public final class LibraryLevel {
    /** A literal, because recompiling does not make the library know more. */
    public static final int CURRENT = 4;

    private LibraryLevel() {}
}
