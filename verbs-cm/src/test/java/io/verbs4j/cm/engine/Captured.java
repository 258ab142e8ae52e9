/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Packets of the kernel's connection manager, from {@code captured.txt}. */
final class Captured {
    /**
     * A packet and its fields.
     *
     * @param name program and message
     * @param hex its bytes, without the zeros at the end
     * @param fields values of the fields, by name
     */
    record Message(String name, String hex, Map<String, String> fields) {
        /** Returns a copy of all 256 bytes. */
        byte[] bytes() {
            return Arrays.copyOf(HexFormat.of().parseHex(hex), Mad.LENGTH);
        }

        /** Returns a buffer with a copy of the bytes. */
        ByteBuffer buffer() {
            return ByteBuffer.wrap(bytes());
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static final Map<String, Message> MESSAGES = read();

    private Captured() {}

    static Message message(String name) {
        return MESSAGES.get(name);
    }

    private static Map<String, Message> read() {
        Map<String, Message> all = new LinkedHashMap<>();
        try (InputStream in = Captured.class.getResourceAsStream("captured.txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            Message last = null;
            for (String line; (line = lines.readLine()) != null; ) {
                String[] words = line.trim().split(" ", -1);
                if (line.startsWith("  ")) {
                    last.fields().put(words[0], words[1]);
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    last = new Message(words[0], words[1], new LinkedHashMap<>());
                    all.put(last.name(), last);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }
}
