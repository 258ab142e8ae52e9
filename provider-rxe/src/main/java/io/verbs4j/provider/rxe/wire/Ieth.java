/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * Invalidate extended transport header: the key that a SEND invalidates at its receiver. Always the last header.
 *
 * <pre>{@code
 * byte  3 3 2 2 2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0
 *       1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
 *      +---------------------------------------------------------------+
 *    0 |                           remote key                          |
 *      +---------------------------------------------------------------+
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 9.3.7.
 */
public final class Ieth {
    /** Length in bytes. */
    public static final int LENGTH = 4;

    private Ieth() {}

    /**
     * Writes the whole header.
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     * @param rkey remote key
     */
    public static void write(ByteBuffer b, int offset, int rkey) {
        b.putInt(offset, rkey);
    }

    /**
     * {@return the remote key}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int rkey(ByteBuffer b, int offset) {
        return b.getInt(offset);
    }
}
