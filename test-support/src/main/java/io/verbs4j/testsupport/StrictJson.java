/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON strictly by RFC 8259, to check what is written as JSON. Objects become maps, arrays lists, and numbers
 * doubles. A key that occurs twice in an object is refused too.
 */
public final class StrictJson {
    private StrictJson() {}

    /**
     * Reads a text that must hold exactly one value.
     *
     * @throws IllegalArgumentException if it does not; the message has the text
     */
    public static Object read(String text) {
        try (JsonReader in = new JsonReader(new StringReader(text))) {
            in.setStrictness(Strictness.STRICT);
            Object value = value(in);
            if (in.peek() != JsonToken.END_DOCUMENT) {
                throw new IOException("something after the value");
            }
            return value;
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage() + ": " + text, e);
        }
    }

    /** Reads an object. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(String text) {
        return (Map<String, Object>) read(text);
    }

    private static Object value(JsonReader in) throws IOException {
        return switch (in.peek()) {
            case BEGIN_OBJECT -> members(in);
            case BEGIN_ARRAY -> elements(in);
            case STRING -> in.nextString();
            case NUMBER -> in.nextDouble();
            case BOOLEAN -> in.nextBoolean();
            case NULL -> {
                in.nextNull();
                yield null;
            }
            default -> throw new IOException("no value at " + in.getPath());
        };
    }

    private static Map<String, Object> members(JsonReader in) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        in.beginObject();
        while (in.hasNext()) {
            String key = in.nextName();
            if (members.containsKey(key)) {
                throw new IOException("the key " + key + " occurs twice");
            }
            members.put(key, value(in));
        }
        in.endObject();
        return members;
    }

    private static List<Object> elements(JsonReader in) throws IOException {
        List<Object> elements = new ArrayList<>();
        in.beginArray();
        while (in.hasNext()) {
            elements.add(value(in));
        }
        in.endArray();
        return elements;
    }
}
