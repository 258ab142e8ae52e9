/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * Flush extended transport header: how far a FLUSH goes, and what it covers. It precedes the RETH.
 *
 * <pre>{@code
 * byte  3 3 2 2 2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0
 *       1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
 *      +---------------------------------------------------+---+-------+
 *    0 |                     reserved                      |lvl| type  |
 *      +---------------------------------------------------+---+-------+
 * }</pre>
 *
 * <p>Source: annex A19 of the InfiniBand Architecture Specification volume 1.
 */
public final class Feth {
    /** Length in bytes. */
    public static final int LENGTH = 4;

    private static final int TYPE_MASK = 0xf;
    private static final int LEVEL_SHIFT = 4;
    private static final int LEVEL_MASK = 3;

    private Feth() {}

    /**
     * Writes the whole header.
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     * @param type {@link io.verbs4j.FlushType} bits
     * @param level a {@link io.verbs4j.FlushLevel} value
     */
    public static void write(ByteBuffer b, int offset, int type, int level) {
        b.putInt(offset, (level & LEVEL_MASK) << LEVEL_SHIFT | type & TYPE_MASK);
    }

    /**
     * {@return how far the flush goes, {@link io.verbs4j.FlushType} bits}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int type(ByteBuffer b, int offset) {
        return b.getInt(offset) & TYPE_MASK;
    }

    /**
     * {@return what the flush covers, a {@link io.verbs4j.FlushLevel} value}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int level(ByteBuffer b, int offset) {
        return b.getInt(offset) >>> LEVEL_SHIFT & LEVEL_MASK;
    }
}
