/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import java.nio.ByteBuffer;
import java.util.List;

/** The memory of a request: one piece, or several consecutive ones. */
record Span(List<ByteBuffer> pieces) {
    Span(ByteBuffer piece) {
        this(List.of(piece));
    }

    /** {@return memory that reads as zeros and discards writes} */
    static Span nothing(int length) {
        return new Span(ByteBuffer.allocate(length));
    }

    int length() {
        int length = 0;
        for (ByteBuffer piece : pieces) {
            length += piece.capacity();
        }
        return length;
    }

    byte[] get() {
        ByteBuffer all = ByteBuffer.allocate(length());
        for (ByteBuffer piece : pieces) {
            all.put(piece.duplicate().clear());
        }
        return all.array();
    }

    void put(byte[] data, int from, int length) {
        int done = 0;
        for (ByteBuffer piece : pieces) {
            int part = Math.min(length - done, piece.capacity());
            piece.put(0, data, from + done, part);
            done += part;
        }
    }
}
