/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.ping;

import io.verbs4j.tools.base.ToolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The data of rping: a text with the number of the ping, then letters, which begin with another one in each ping, and a
 * zero byte.
 */
final class PingData {
    /** Fits the text with any number. */
    static final int LEAST = 26;

    /** One less than rping's buffer of 64 KiB. */
    static final int MOST = 65535;

    private static final int FIRST = 'A';
    private static final int LETTERS = 'z' - 'A' + 1;

    private PingData() {}

    static void fill(ByteBuffer buffer, int offset, int length, long ping) {
        byte[] text = text(ping);
        buffer.put(offset, text);
        for (int i = text.length; i < length - 1; i++) {
            buffer.put(offset + i, letter(i - text.length, ping));
        }
        buffer.put(offset + length - 1, (byte) 0);
    }

    private static byte[] text(long ping) {
        return ("rdma-ping-" + (int) ping + ": ").getBytes(StandardCharsets.US_ASCII);
    }

    private static byte letter(int index, long ping) {
        return (byte) (FIRST + (ping + index) % LETTERS);
    }

    /** Compares all bytes with their expected values. */
    static void verify(ByteBuffer buffer, int offset, int length, long ping) {
        byte[] text = text(ping);
        for (int i = 0; i < length; i++) {
            byte expected = i == length - 1 ? 0 : i < text.length ? text[i] : letter(i - text.length, ping);
            byte there = buffer.get(offset + i);
            if (there != expected) {
                throw ToolException.failed(String.format(
                        Locale.ROOT,
                        "data mismatch: ping %d of %d bytes has 0x%02x at offset %d, where 0x%02x was expected",
                        ping,
                        length,
                        there,
                        i,
                        expected));
            }
        }
    }

    /** {@return the length of the data up to the zero byte; {@code length} if there is none} */
    static int textLength(ByteBuffer buffer, int offset, int length) {
        int n = 0;
        while (n < length && buffer.get(offset + n) != 0) {
            n++;
        }
        return n;
    }

    static String toString(ByteBuffer buffer, int offset, int length) {
        byte[] bytes = new byte[textLength(buffer, offset, length)];
        buffer.get(offset, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
