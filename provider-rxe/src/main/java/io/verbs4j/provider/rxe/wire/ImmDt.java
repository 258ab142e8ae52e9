/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * Immediate data: four bytes that reach the receiver's completion. Always the last header.
 *
 * <pre>{@code
 * byte  3 3 2 2 2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0
 *       1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
 *      +---------------------------------------------------------------+
 *    0 |                         immediate data                        |
 *      +---------------------------------------------------------------+
 * }</pre>
 *
 * <p>The bytes have no order of their own: the int is what big-endian reading gives. Source: InfiniBand Architecture
 * Specification volume 1, section 9.3.6.
 */
public final class ImmDt {
    /** Number of bytes. */
    public static final int LENGTH = 4;

    private ImmDt() {}

    /**
     * Writes the whole header.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @param immData immediate data
     */
    public static void write(ByteBuffer b, int offset, int immData) {
        b.putInt(offset, immData);
    }

    /**
     * Immediate data.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @return the field
     */
    public static int immData(ByteBuffer b, int offset) {
        return b.getInt(offset);
    }
}
