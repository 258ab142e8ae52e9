/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.base;

import java.util.Locale;

/**
 * Makes foreign text safe for a terminal and a log: control characters, and those that change the direction or look of
 * the text around them, are escaped as in Java source.
 */
public final class Printable {
    private Printable() {}

    /** Escapes a name or other text that belongs on one line. */
    public static String line(String text) {
        return masked(text, "");
    }

    /** Escapes text that may have several lines. */
    public static String text(String text) {
        return masked(text, "\n\t");
    }

    private static String masked(String text, String allowed) {
        if (isClean(text, allowed)) {
            return text;
        }
        StringBuilder masked = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (!isMasked(c, allowed)) {
                masked.appendCodePoint(c);
                return;
            }
            for (char unit : Character.toChars(c)) {
                masked.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
            }
        });
        return masked.toString();
    }

    private static boolean isClean(String text, String allowed) {
        int c;
        for (int at = 0; at < text.length(); at += Character.charCount(c)) {
            c = text.codePointAt(at);
            if (!isPlain(c) && isMasked(c, allowed)) {
                return false;
            }
        }
        return true;
    }

    /** Most characters are plain; these need no lookup. */
    private static boolean isPlain(int c) {
        return c >= ' ' && c <= '~';
    }

    private static boolean isMasked(int c, String allowed) {
        return switch (Character.getType(c)) {
            case Character.CONTROL -> allowed.indexOf(c) < 0;
            case Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }
}
