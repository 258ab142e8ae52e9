/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A strict parser for JSON of objects, arrays, strings and integers. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.blanks();
        if (json.at != text.length()) {
            throw json.wrong("the end");
        }
        return value;
    }

    private Object value() {
        blanks();
        char c = text.charAt(at);
        if (c == '{') {
            Map<String, Object> object = new LinkedHashMap<>();
            list('}', () -> {
                blanks();
                String key = string();
                blanks();
                take(':');
                object.put(key, value());
            });
            return object;
        }
        if (c == '[') {
            List<Object> array = new ArrayList<>();
            list(']', () -> array.add(value()));
            return array;
        }
        for (String literal : new String[] {"true", "false"}) {
            if (text.startsWith(literal, at)) {
                at += literal.length();
                return Boolean.valueOf(literal);
            }
        }
        return c == '"' ? string() : number();
    }

    private void list(char end, Runnable element) {
        at++;
        blanks();
        if (text.charAt(at) == end) {
            at++;
            return;
        }
        while (true) {
            element.run();
            blanks();
            if (text.charAt(at) == end) {
                at++;
                return;
            }
            take(',');
        }
    }

    private String string() {
        take('"');
        StringBuilder out = new StringBuilder();
        while (text.charAt(at) != '"') {
            char c = text.charAt(at++);
            if (c < ' ') {
                throw wrong("no control character");
            }
            if (c == '\\') {
                char escaped = text.charAt(at++);
                switch (escaped) {
                    case 'n' -> out.append('\n');
                    case '"', '\\' -> out.append(escaped);
                    case 'u' -> {
                        out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                        at += 4;
                    }
                    default -> throw wrong("an escape");
                }
            } else {
                out.append(c);
            }
        }
        at++;
        return out.toString();
    }

    private Integer number() {
        int start = at;
        while (at < text.length() && Character.isDigit(text.charAt(at))) {
            at++;
        }
        return Integer.valueOf(text.substring(start, at));
    }

    private void take(char expected) {
        if (text.charAt(at) != expected) {
            throw wrong("'" + expected + "'");
        }
        at++;
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("at " + at + " " + expected + " is expected: " + text);
    }
}
