/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory with a pattern in it that is its own for each seed. */
final class Memory {
    final ByteBuffer buffer;
    private final int seed;

    Memory(int bytes, int seed) {
        this.seed = seed;
        buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        for (int i = 0; i < bytes; i++) {
            buffer.put(i, at(i));
        }
    }

    byte at(int i) {
        return (byte) (seed * 31 + i * 7 + (i >>> 8) * 13);
    }

    /** Checks that bytes are those of another memory. */
    void holds(int offset, Memory of, int from, int length) {
        for (int i = 0; i < length; i++) {
            if (buffer.get(offset + i) != of.at(from + i)) {
                Seen.check(
                        false,
                        "byte " + i + " of " + length + " at offset " + offset + " is " + buffer.get(offset + i)
                                + ", not " + of.at(from + i) + " as sent");
            }
        }
    }

    /** Checks that bytes are as they were made. */
    void untouched(int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (buffer.get(i) != at(i)) {
                Seen.check(false, "the byte at offset " + i + " was changed; nothing may write there");
            }
        }
    }
}
