/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

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

    /** Its jar, and that of the native binding where it lies beside it: on the module path a provider of ours needs it. */
    List<Path> path() {
        try (Stream<Path> siblings = Files.list(jar.toAbsolutePath().getParent())) {
            return Stream.concat(
                            Stream.of(jar),
                            siblings.filter(file ->
                                            file.getFileName().toString().startsWith("verbs-rdma-core"))
                                    .filter(file -> file.toString().endsWith(".jar")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the folder of " + jar, e);
        }
    }

    Subject named(String other) {
        return new Subject(other, jar, level, minimumLibraryLevel, foreign);
    }
}
