/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** The list of C's public functions in {@code symbols.tsv}. */
final class Symbols {
    static final String EXPORTED = "exported";
    static final String INLINE = "inline";

    private Symbols() {}

    /** {@return all functions, as library and name separated by a space} */
    static Set<String> all(Path project) throws IOException {
        Set<String> all = new TreeSet<>();
        for (String line : lines(project)) {
            String[] cells = line.split("\t", -1);
            all.add(cells[0] + " " + cells[1]);
        }
        return all;
    }

    /** {@return the functions of one kind in a library} */
    static Set<String> of(Path project, String library, String kind) throws IOException {
        Set<String> names = new TreeSet<>();
        for (String line : lines(project)) {
            String[] cells = line.split("\t", -1);
            if (cells[0].equals(library) && cells[2].equals(kind)) {
                names.add(cells[1]);
            }
        }
        return names;
    }

    private static Iterable<String> lines(Path project) throws IOException {
        return Files.readAllLines(project.resolve(VerbPage.DATA).resolve("symbols.tsv")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }
}
