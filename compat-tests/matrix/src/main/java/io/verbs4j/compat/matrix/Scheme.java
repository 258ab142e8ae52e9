/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A way to let an API grow, as four files in miniature: a header, a library, a provider and a program. Each has two
 * versions in one text: lines that begin with {@code //1} or {@code //2} belong only to that version.
 */
enum Scheme {
    /** This project's scheme: the control, which is judged by the same rows as the others. */
    SLOTS("numbered slots", "a table that states its length, as in verbs4j", "Header", true),

    /** The first scheme that the talk rejects: each verb, and each change of one, is a symbol of the library. */
    SYMBOLS("versioned symbols", "the library exports each verb, and each changed verb again", "Library", false),

    /** The second scheme that the talk rejects: a look-up by a string. */
    NAMES("names", "verbs are looked up by a string", "Header", true);

    private final String title;
    private final String how;
    private final String header;
    private final boolean headerRuns;

    Scheme(String title, String how, String header, boolean headerRuns) {
        this.title = title;
        this.how = how;
        this.header = header;
        this.headerRuns = headerRuns;
    }

    /** {@return its name in the reports} */
    String title() {
        return title;
    }

    /** {@return how it works, in one line} */
    String how() {
        return how;
    }

    /** {@return whether the header exists at run time; otherwise it is mere declarations, as in C} */
    boolean headerRuns() {
        return headerRuns;
    }

    /** {@return the sources of a header} */
    Map<String, String> header(int version) {
        return Map.of("verbs/" + header + ".java", source("header/" + header, version));
    }

    /** {@return the sources of a library} */
    Map<String, String> library(int version) {
        return Map.of("verbs/Library.java", source("library/Library", version));
    }

    /** {@return the sources of a provider} */
    Map<String, String> provider(int version) {
        return Map.of("device/Provider.java", source("provider/Provider", version));
    }

    /** {@return the sources of a program} */
    Map<String, String> program(int version) {
        return Map.of(
                "app/Program.java", source("program/Program", version),
                "app/Results.java", AppSource.text("schemes/Results.java"));
    }

    /** {@return the folder of its files, also used to name compiled folders} */
    String folder() {
        return name().toLowerCase(Locale.ROOT);
    }

    private String source(String file, int version) {
        return ofVersion(AppSource.text("schemes/" + folder() + "/" + file + ".java"), version);
    }

    /** {@return the lines of a version} */
    static String ofVersion(String text, int version) {
        return text.lines()
                .filter(line -> !line.strip().startsWith("//" + (3 - version) + " "))
                .map(line -> line.replaceFirst("^( *)//" + version + " ", "$1"))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
