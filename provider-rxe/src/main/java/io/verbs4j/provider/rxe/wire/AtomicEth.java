/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * Atomic extended transport header: the operands and the address of an atomic operation.
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
    /** Length in bytes. */
    public static final int LENGTH = 28;

    private static final int RKEY = 8;
    private static final int SWAP_ADD = 12;
    private static final int COMPARE = 20;

    private AtomicEth() {}

    /**
     * Writes the whole header.
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     * @param va virtual address, a multiple of 8
     * @param rkey remote key
     * @param swapAdd value to write or add
     * @param compare value to compare with; unused for an addition
     */
    public static void write(ByteBuffer b, int offset, long va, int rkey, long swapAdd, long compare) {
        b.putLong(offset, va);
        b.putInt(offset + RKEY, rkey);
        b.putLong(offset + SWAP_ADD, swapAdd);
        b.putLong(offset + COMPARE, compare);
    }

    /**
     * {@return the virtual address}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static long va(ByteBuffer b, int offset) {
        return b.getLong(offset);
    }

    /**
     * {@return the remote key}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int rkey(ByteBuffer b, int offset) {
        return b.getInt(offset + RKEY);
    }

    /**
     * {@return the value to write or add}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static long swapAdd(ByteBuffer b, int offset) {
        return b.getLong(offset + SWAP_ADD);
    }

    /**
     * {@return the value to compare with}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static long compare(ByteBuffer b, int offset) {
        return b.getLong(offset + COMPARE);
    }
}
