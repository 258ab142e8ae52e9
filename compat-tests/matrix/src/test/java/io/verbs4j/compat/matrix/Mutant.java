/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A change to the sources that must be detected, from the list in {@code mutants.txt}.
 *
 * @param ofHeader whether it changes the header rather than the library
 * @param by who must detect it
 */
record Mutant(String name, boolean ofHeader, String file, String from, String to, Seer by) {
    /** Who detects a mutant. */
    enum Seer {
        /** The gate that compares the API with the frozen levels. */
        GATE,
        /** The quick matrix, and therefore the full one. */
        QUICK,
        /** The full matrix, and possibly the quick one. */
        FULL
    }

    private static final Pattern ENTRY = Pattern.compile(
            "^# (.+)\n(header|library) (\\S+)\n- (.+)\n\\+ (.+)\nby (quick|full|gate)$", Pattern.MULTILINE);

    /** {@return all mutants of the list; unreadable ones are missing, so tests count them} */
    static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>();
        Matcher entries = ENTRY.matcher(text());
        while (entries.find()) {
            all.add(new Mutant(
                    entries.group(1),
                    entries.group(2).equals("header"),
                    entries.group(3),
                    lines(entries.group(4)),
                    lines(entries.group(5)),
                    Seer.valueOf(entries.group(6).toUpperCase(Locale.ROOT))));
        }
        return all;
    }

    static String text() {
        try (InputStream in = Mutant.class.getResourceAsStream("mutants.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String lines(String text) {
        return text.replace("\\n", "\n");
    }

    /** {@return the changed sources; fails unless the text to change occurs exactly once} */
    Sources sources() {
        return (ofHeader ? Sources.header() : Sources.library()).edit(file, from, to);
    }

    /** {@return the present release with the change} */
    Release release(Release build, Path folder) {
        Path header = ofHeader ? sources().jar(folder.resolve("verbs-spi.jar")) : build.header();
        Sources library = ofHeader ? Sources.library() : sources();
        return new Release(
                "new",
                build.level(),
                header,
                library.jar(folder.resolve("verbs-core.jar"), "-p", header),
                build.provider());
    }

    @Override
    public String toString() {
        return name;
    }
}
