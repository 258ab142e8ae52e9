/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

/** Escapes text for the formats of the reports. */
final class Escape {
    private Escape() {}

    /** Escapes text for XML and HTML, in text and in attributes; characters that XML lacks become question marks. */
    static String xml(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> {
                    boolean legal = c >= ' ' && c < 0xd800 || c > 0xdfff && c < 0xfffe || c > 0xffff;
                    if (legal || c == '\n' || c == '\t') {
                        out.appendCodePoint(c);
                    } else {
                        out.append('?');
                    }
                }
            }
        });
        return out.toString();
    }

    /** {@return a JSON string, with its quotes} */
    static String json(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                default -> {
                    if (c < ' ' || Character.isSurrogate(c)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"').toString();
    }

    /** Escapes text for the cell of a Markdown table. */
    static String markdown(String text) {
        return text.replaceAll("\\s+", " ")
                .replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "&lt;")
                .replace("*", "\\*")
                .replace("_", "\\_");
    }
}
