/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How much is tested: what a person waits for ({@code ./mvnw verify}), what each commit is tried with ({@code -Pfull}), or
 * what takes hours ({@code -Phours}).
 */
public enum Extent {
    /** Each module's unit tests, and the shortest proof of everything else. */
    SHORT,
    /** All that continuous integration runs. */
    FULL,
    /** That, for longer, and on every JDK with every release of the libraries. */
    HOURS;

    /** The system property that the build sets. */
    public static final String PROPERTY = "verbs4j.extent";

    private static final Extent THIS = valueOf(System.getProperty(PROPERTY, "FULL"));

    /** {@return whether continuous integration's tests run, and all of their cases} */
    public static boolean isFull() {
        return THIS.compareTo(FULL) >= 0;
    }

    /**
     * The cases of a test: all, or some for the short command.
     *
     * @param all of them; the first is always taken
     * @param oneOf of how many the short command takes one
     */
    public static <T> List<T> some(List<T> all, int oneOf) {
        return isFull()
                ? all
                : IntStream.range(0, all.size())
                        .filter(i -> i % oneOf == 0)
                        .mapToObj(all::get)
                        .toList();
    }

    /** {@return whether hours may be taken} */
    public static boolean isHours() {
        return THIS == HOURS;
    }
}
