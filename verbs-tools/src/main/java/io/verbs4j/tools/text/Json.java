/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.text;

import java.util.Locale;
import java.util.Map;

/** Writes JSON: maps, iterables, strings, numbers, booleans and null, indented by two spaces. */
public final class Json {
    private final StringBuilder out = new StringBuilder();

    private Json() {}

    /**
     * Writes a value.
     *
     * @param value a {@link Map} with string keys, an {@link Iterable}, a {@link CharSequence}, a number, a boolean or
     *     null
     * @return the text, without a line end
     */
    public static String write(Object value) {
        Json json = new Json();
        json.value(value, 0);
        return json.out.toString();
    }

    private void value(Object value, int depth) {
        if (value instanceof Map<?, ?> map) {
            open('{');
            boolean first = true;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                separate(first, depth + 1);
                string(entry.getKey().toString());
                out.append(": ");
                value(entry.getValue(), depth + 1);
                first = false;
            }
            close('}', first, depth);
        } else if (value instanceof Iterable<?> items) {
            open('[');
            boolean first = true;
            for (Object item : items) {
                separate(first, depth + 1);
                value(item, depth + 1);
                first = false;
            }
            close(']', first, depth);
        } else if (value instanceof Double || value instanceof Float) {
            number(((Number) value).doubleValue());
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof CharSequence text) {
            string(text);
        } else {
            throw new IllegalArgumentException("can't be written as JSON: " + value.getClass());
        }
    }

    private void open(char bracket) {
        out.append(bracket);
    }

    private void separate(boolean first, int depth) {
        out.append(first ? "\n" : ",\n").append("  ".repeat(depth));
    }

    private void close(char bracket, boolean empty, int depth) {
        if (!empty) {
            out.append('\n').append("  ".repeat(depth));
        }
        out.append(bracket);
    }

    /** Writes a floating-point number; null for infinities and NaN, which JSON lacks. */
    private void number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            out.append("null");
        } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            out.append((long) value);
        } else {
            out.append(String.format(Locale.ROOT, Math.abs(value) < 1 ? "%.6g" : "%.3f", value));
        }
    }

    private void string(CharSequence text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (mustBeEscaped(c) || Character.isSurrogate(c) && !paired(text, i)) {
                        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** Whether JSON forbids a character, or a terminal might obey it. */
    private static boolean mustBeEscaped(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    private static boolean paired(CharSequence text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
}
