/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Combinations and results that were never run. */
final class Samples {
    static final Jdk JDK = new Jdk("17.0.1", Path.of("/jdk"));

    private Samples() {}

    static Release release(int level) {
        return new Release(
                "level " + level, level, Path.of("spi" + level), Path.of("core" + level), Path.of("rxe" + level));
    }

    static AppSource app(int level) {
        List<Step> steps = level < 2
                ? List.of()
                : List.of(
                        Step.of(2, "new", "falls", Step.Kind.FALLS_BACK),
                        Step.of(2, "new", "always", Step.Kind.ALWAYS),
                        Step.of(2, "new", "missing", Step.Kind.MISSING),
                        Step.of(2, "new", "dependent", Step.Kind.DEPENDENT),
                        Step.of(2, "new", "past", Step.Kind.PAST_THE_LIBRARY),
                        Step.of(2, "mask", "bit", Step.Kind.UNKNOWN_BIT),
                        Step.of(2, "mask", "bit_device", Step.Kind.BIT_OF_THE_DEVICE));
        return new AppSource(
                "level " + level, level, "App", Map.of(), new TreeMap<>(Map.of(level, List.of("Symbol"))), steps);
    }

    static Subject provider(int level) {
        return Subject.of(release(level));
    }

    static Cell cell(int app, int header, int library, int provider, int loaded) {
        return cell(app, header, library, provider(provider), loaded);
    }

    static Cell cell(int app, int header, int library, Subject provider, int loaded) {
        return new Cell(
                app == 1 ? 1 : 8, app(app), release(header), release(library), provider, release(loaded), false, JDK);
    }

    /**
     * Creates the output of a program from lines whose fields are separated by blanks; the last field may contain
     * blanks.
     */
    static ProgramRun output(int status, String... lines) {
        StringBuilder out = new StringBuilder();
        for (String line : lines) {
            String[] fields = line.split(" ", 4);
            out.append("result\t").append(String.join("\t", fields));
            out.append("\t".repeat(4 - fields.length)).append('\n');
        }
        return new ProgramRun(List.of("java", "App"), status, out.toString(), "");
    }
}
