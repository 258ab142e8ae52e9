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
 * A change of the sources that must not pass, from the list in {@code mutants.txt}.
 *
 * @param ofHeader whether it is done to the header, else to the library
 * @param by who sees it
 */
record Mutant(String name, boolean ofHeader, String file, String from, String to, Seer by) {
    /** Who sees a mutant. */
    enum Seer {
        /** What compares the API with that of the frozen levels. */
        GATE,
        /** The quick matrix, and so the full one. */
        QUICK,
        /** The full matrix, whether or not the quick one does. */
        FULL
    }

    private static final Pattern ENTRY = Pattern.compile(
            "^# (.+)\n(header|library) (\\S+)\n- (.+)\n\\+ (.+)\nby (quick|full|gate)$", Pattern.MULTILINE);

    /** All of the list; one that can't be read is missing, and the test counts them. */
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

    /** The sources with the change; fails where its place is not there exactly once. */
    Sources sources() {
        return (ofHeader ? Sources.header() : Sources.library()).edit(file, from, to);
    }

    /** The present release with the change. */
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
