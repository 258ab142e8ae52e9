/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How much is tested: as much as a person waits for ({@code ./mvnw verify}), what each commit is tested with
 * ({@code -Pfull}), or what takes hours ({@code -Phours}).
 */
public enum Extent {
    /** Each module's unit tests, and the shortest test of everything else. */
    SHORT,
    /** Everything that continuous integration runs. */
    FULL,
    /** As {@link #FULL}, for longer, and on every JDK with every release of the libraries. */
    HOURS;

    /** The system property that the build sets. */
    public static final String PROPERTY = "verbs4j.extent";

    private static final Extent THIS = valueOf(System.getProperty(PROPERTY, "FULL"));

    /** {@return whether the tests of continuous integration run, with all their cases} */
    public static boolean isFull() {
        return THIS.compareTo(FULL) >= 0;
    }

    /**
     * Selects the cases of a test: all, or some in the short build.
     *
     * @param all all cases; the first is always selected
     * @param oneOf the short build selects one of this many
     */
    public static <T> List<T> some(List<T> all, int oneOf) {
        return isFull()
                ? all
                : IntStream.range(0, all.size())
                        .filter(i -> i % oneOf == 0)
                        .mapToObj(all::get)
                        .toList();
    }

    /** {@return whether tests may take hours} */
    public static boolean isHours() {
        return THIS == HOURS;
    }
}
