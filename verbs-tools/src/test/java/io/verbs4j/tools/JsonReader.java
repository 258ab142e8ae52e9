/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON strictly by RFC 8259, to check that the output of the tools is JSON. Numbers become doubles. */
public final class JsonReader {
    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /** Reads a text that must hold exactly one value. */
    public static Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value();
        reader.blanks();
        if (reader.at != text.length()) {
            throw reader.bad("something after the value");
        }
        return value;
    }

    /** Reads an object. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(String text) {
        return (Map<String, Object>) read(text);
    }

    private Object value() {
        blanks();
        switch (peek()) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            case 't':
                return word("true", true);
            case 'f':
                return word("false", false);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> map = new LinkedHashMap<>();
        at++;
        blanks();
        while (peek() != '}') {
            if (!map.isEmpty()) {
                expect(',');
                blanks();
            }
            String key = string();
            blanks();
            expect(':');
            if (map.containsKey(key)) {
                throw bad("the key " + key + " comes twice");
            }
            map.put(key, value());
            blanks();
        }
        at++;
        return map;
    }

    private List<Object> array() {
        List<Object> list = new ArrayList<>();
        at++;
        blanks();
        while (peek() != ']') {
            if (!list.isEmpty()) {
                expect(',');
            }
            list.add(value());
            blanks();
        }
        at++;
        return list;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c < ' ') {
                throw bad("a control character in a string");
            }
            out.append(c == '\\' ? escaped() : c);
        }
        at++;
        return out.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        if (c == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        int which = "\"\\/bfnrt".indexOf(c);
        if (which < 0) {
            throw bad("an unknown escape");
        }
        return "\"\\/\b\f\n\r\t".charAt(which);
    }

    private Object number() {
        java.util.regex.Matcher m = java.util.regex.Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")
                .matcher(text)
                .region(at, text.length());
        if (!m.lookingAt()) {
            throw bad("no value");
        }
        at = m.end();
        return Double.valueOf(m.group());
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw bad("no value");
        }
        at += word.length();
        return value;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw bad("the text ends early");
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw bad("no " + c);
        }
        at++;
    }

    private IllegalArgumentException bad(String what) {
        return new IllegalArgumentException(what + " at " + at + " of: " + text);
    }
}
