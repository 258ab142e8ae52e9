/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.nio.file.Path;

/**
 * A provider whose device the programs use.
 *
 * @param name what it is called in the reports
 * @param jar its jar
 * @param level the level that it was written for
 * @param minimumLibraryLevel the lowest level of a library that it takes
 * @param foreign whether it may lack what its level has: such steps count as skipped, with the reason
 */
public record Subject(String name, Path jar, int level, int minimumLibraryLevel, boolean foreign) {
    /** The provider of one of our releases: it has what its level has, and takes every library. */
    public static Subject of(Release release) {
        return new Subject("rxe " + release.name(), release.provider(), release.level(), 1, false);
    }

    Subject named(String other) {
        return new Subject(other, jar, level, minimumLibraryLevel, foreign);
    }
}
