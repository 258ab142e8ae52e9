/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The kept inputs: those that {@code CoverageFuzzIT} found to reach new code, and those that once failed. */
final class Corpus {
    /** Relative to the module, where tests run. */
    static final Path FOLDER = Path.of("src/test/resources/io/verbs4j/provider/rxe/fuzz/corpus");

    private Corpus() {}

    static List<Path> files() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
