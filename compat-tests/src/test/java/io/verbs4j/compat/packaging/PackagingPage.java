/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The page about packaging, whose commands the tests run. */
final class PackagingPage {
    private static final Path PAGE = Path.of("..", "docs", "guides", "packaging.md");

    private PackagingPage() {}

    /**
     * Returns the arguments of the only command that starts with these words, without its first word.
     *
     * @param begin how the command starts
     * @param places the replacements for words of the page, for instance for the folder that it calls {@code lib}
     */
    static List<String> arguments(String begin, Map<String, String> places) {
        List<String> found =
                lines().stream().filter(line -> line.startsWith(begin)).toList();
        if (found.size() != 1) {
            throw new IllegalStateException(PAGE + " has " + found.size() + " commands that begin with " + begin);
        }
        String[] words = found.get(0).split(" ");
        return Arrays.stream(words)
                .skip(1)
                .map(word -> places.getOrDefault(word, word))
                .toList();
    }

    /** {@return the page's lines without indentation; lines of a command that end with a backslash are joined} */
    static List<String> lines() {
        try {
            return Files.readString(PAGE)
                    .replaceAll("\\\\\\R *", "")
                    .lines()
                    .map(String::strip)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
