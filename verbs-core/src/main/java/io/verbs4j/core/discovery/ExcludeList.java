/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import java.util.List;
import java.util.stream.Stream;

/** The providers that the user excludes: class names, and package prefixes that end in {@code .*}. */
public final class ExcludeList {
    public static final String PROPERTY = "io.verbs4j.exclude";
    static final String REASON =
            "excluded by the system property " + PROPERTY + "; remove it there to use the provider";

    private final List<String> patterns;

    /**
     * Reads the property's value.
     *
     * @param property comma-separated, or null
     */
    public ExcludeList(String property) {
        patterns = property == null
                ? List.of()
                : Stream.of(property.split(",", -1))
                        .map(String::trim)
                        .filter(pattern -> !pattern.isEmpty())
                        .toList();
    }

    boolean contains(String className) {
        for (String pattern : patterns) {
            if (matches(pattern, className)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String pattern, String className) {
        return pattern.endsWith(".*")
                ? className.startsWith(pattern.substring(0, pattern.length() - 1))
                : className.equals(pattern);
    }
}
