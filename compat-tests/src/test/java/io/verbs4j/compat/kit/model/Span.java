/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import java.nio.ByteBuffer;
import java.util.List;

/** Memory that a request is about: one piece, or several that follow each other. */
record Span(List<ByteBuffer> pieces) {
    Span(ByteBuffer piece) {
        this(List.of(piece));
    }

    /** Where zeros are read, and what is written vanishes. */
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
