/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON into maps, lists, strings, doubles, booleans and nulls. It supports what {@link JsonReport} writes: of the
 * escapes, only the quote and the backslash.
 */
final class JsonReader {
    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /**
     * Reads a document.
     *
     * @throws IllegalArgumentException if it is not JSON, or uses an escape that is not supported
     */
    static Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value();
        if (reader.peek() != 0) {
            throw reader.unexpected();
        }
        return value;
    }

    private Object value() {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> literal();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        expect('{');
        while (!closes('}', members.isEmpty())) {
            String name = string();
            expect(':');
            members.put(name, value());
        }
        return members;
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        expect('[');
        while (!closes(']', elements.isEmpty())) {
            elements.add(value());
        }
        return elements;
    }

    /** Whether the object or array ends here; if not, reads the comma in front of what follows. */
    private boolean closes(char bracket, boolean empty) {
        if (peek() == bracket) {
            at++;
            return true;
        }
        if (!empty) {
            expect(',');
        }
        return false;
    }

    private String string() {
        expect('"');
        StringBuilder string = new StringBuilder();
        for (; at < text.length() && text.charAt(at) != '"'; at++) {
            if (text.charAt(at) == '\\') {
                at++;
                if (at == text.length() || "\"\\".indexOf(text.charAt(at)) < 0) {
                    throw unexpected();
                }
            }
            string.append(text.charAt(at));
        }
        expect('"');
        return string.toString();
    }

    private Object literal() {
        int begin = at;
        while (at < text.length() && "+-.".indexOf(text.charAt(at)) >= 0
                || at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
            at++;
        }
        String literal = text.substring(begin, at);
        switch (literal) {
            case "null":
                return null;
            case "true":
                return true;
            case "false":
                return false;
            default:
                try {
                    return Double.valueOf(literal);
                } catch (NumberFormatException e) {
                    at = begin;
                    throw unexpected();
                }
        }
    }

    /** The next character that is not white space, not consumed; 0 at the end. */
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw unexpected();
        }
        at++;
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException(
                "unexpected " + (at < text.length() ? "'" + text.charAt(at) + "'" : "end") + " at character " + at);
    }
}
