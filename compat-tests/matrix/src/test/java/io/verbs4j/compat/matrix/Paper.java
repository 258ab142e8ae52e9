/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import io.verbs4j.compat.built.JarContent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** A third-party provider: its device creates domains and queues, but moves no data. */
final class Paper {
    private static final String FILE = "paper/PaperProvider.java";

    private final Sources sources;

    private Paper(Sources sources) {
        this.sources = sources;
    }

    static Paper provider() {
        try (InputStream in = Paper.class.getResourceAsStream("PaperProvider.java.txt")) {
            return new Paper(Sources.of(Map.of(FILE, new String(in.readAllBytes(), StandardCharsets.UTF_8))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Paper edit(String from, String to) {
        sources.edit(FILE, from, to);
        return this;
    }

    /** Creates its jar without a module descriptor, as a third party might. */
    Path jar(Path scratch) {
        Path jar =
                sources.jar(scratch.resolve("plain.jar"), "-cp", Parties.build().header());
        return JarContent.of(jar)
                .put(
                        "META-INF/services/io.verbs4j.spi.VerbsProvider",
                        "paper.PaperProvider".getBytes(StandardCharsets.UTF_8))
                .writeTo(scratch.resolve("paper.jar"));
    }
}
