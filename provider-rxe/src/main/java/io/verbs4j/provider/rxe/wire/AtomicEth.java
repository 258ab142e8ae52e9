/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * Atomic extended transport header: what an atomic operation does, and where.
 *
 * <pre>{@code
 * byte  3 3 2 2 2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0
 *       1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
 *      +---------------------------------------------------------------+
 *    0 |                  virtual address, upper half                  |
 *      +---------------------------------------------------------------+
 *    4 |                  virtual address, lower half                  |
 *      +---------------------------------------------------------------+
 *    8 |                           remote key                          |
 *      +---------------------------------------------------------------+
 *   12 |                swap or add operand, upper half                |
 *      +---------------------------------------------------------------+
 *   16 |                swap or add operand, lower half                |
 *      +---------------------------------------------------------------+
 *   20 |                  compare operand, upper half                  |
 *      +---------------------------------------------------------------+
 *   24 |                  compare operand, lower half                  |
 *      +---------------------------------------------------------------+
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 9.3.4.
 */
public final class AtomicEth {
    /** Number of bytes. */
    public static final int LENGTH = 28;

    private static final int RKEY = 8;
    private static final int SWAP_ADD = 12;
    private static final int COMPARE = 20;

    private AtomicEth() {}

    /**
     * Writes the whole header.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @param va virtual address, a multiple of 8
     * @param rkey remote key
     * @param swapAdd the new value, or what is added
     * @param compare the value compared with; unused where something is added
     */
    public static void write(ByteBuffer b, int offset, long va, int rkey, long swapAdd, long compare) {
        b.putLong(offset, va);
        b.putInt(offset + RKEY, rkey);
        b.putLong(offset + SWAP_ADD, swapAdd);
        b.putLong(offset + COMPARE, compare);
    }

    /**
     * Virtual address.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @return the field
     */
    public static long va(ByteBuffer b, int offset) {
        return b.getLong(offset);
    }

    /**
     * Remote key.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @return the field
     */
    public static int rkey(ByteBuffer b, int offset) {
        return b.getInt(offset + RKEY);
    }

    /**
     * The new value, or what is added.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @return the field
     */
    public static long swapAdd(ByteBuffer b, int offset) {
        return b.getLong(offset + SWAP_ADD);
    }

    /**
     * The value compared with.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @return the field
     */
    public static long compare(ByteBuffer b, int offset) {
        return b.getLong(offset + COMPARE);
    }
}
