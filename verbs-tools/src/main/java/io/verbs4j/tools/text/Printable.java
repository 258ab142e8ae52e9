/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.text;

/** Makes foreign text safe for a terminal. */
public final class Printable {
    private Printable() {}

    /**
     * Replaces everything that a terminal might obey by dots: control characters, escapes, line ends, marks that change
     * the writing direction.
     *
     * @param text foreign text
     */
    public static String of(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints().forEach(c -> printable.appendCodePoint(isPlain(c) ? c : '.'));
        return printable.toString();
    }

    private static boolean isPlain(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
