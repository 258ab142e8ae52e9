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
 * @param name its name in the reports
 * @param jar its jar
 * @param level the level that it was written for
 * @param minimumLibraryLevel the lowest level of a library that it accepts
 * @param foreign whether it may lack parts of its level: such steps count as skipped, with the reason
 */
public record Subject(String name, Path jar, int level, int minimumLibraryLevel, boolean foreign) {
    /** {@return the provider of one of our releases: it has everything of its level, and accepts every library} */
    public static Subject of(Release release) {
        return new Subject("rxe " + release.name(), release.provider(), release.level(), 1, false);
    }

    /**
     * {@return its jar, and the modules that our providers require: the native binding and its dependencies} They lie
     * beside the jar in a build, and in the folder {@code required} of a frozen level.
     */
    List<Path> path() {
        Path folder = jar.toAbsolutePath().getParent();
        return Stream.concat(
                        Stream.of(jar),
                        Stream.of(folder, folder.resolve("required")).flatMap(Subject::bindings))
                .toList();
    }

    private static Stream<Path> bindings(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Stream.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files
                    .filter(file -> file.getFileName().toString().matches("verbs-(native|rdma-core).*\\.jar"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + folder, e);
        }
    }

    Subject named(String other) {
        return new Subject(other, jar, level, minimumLibraryLevel, foreign);
    }
}
