/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * Immediate data: four bytes that appear in the receiver's completion. Always the last header.
 *
 * <pre>{@code
 * byte  3 3 2 2 2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0
 *       1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
 *      +---------------------------------------------------------------+
 *    0 |                         immediate data                        |
 *      +---------------------------------------------------------------+
 * }</pre>
 *
 * <p>The bytes have no inherent order: the int is their big-endian value. Source: InfiniBand Architecture
 * Specification volume 1, section 9.3.6.
 */
public final class ImmDt {
    /** Length in bytes. */
    public static final int LENGTH = 4;

    private ImmDt() {}

    /**
     * Writes the whole header.
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     * @param immData immediate data
     */
    public static void write(ByteBuffer b, int offset, int immData) {
        b.putInt(offset, immData);
    }

    /**
     * {@return the immediate data}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int immData(ByteBuffer b, int offset) {
        return b.getInt(offset);
    }
}
