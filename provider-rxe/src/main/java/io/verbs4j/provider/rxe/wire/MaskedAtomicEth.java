/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * Masked atomic extended transport header: the operands and the address of a masked atomic operation. A format of this
 * device alone, under opcodes of the manufacturer range; no other device understands it.
 *
 * <pre>{@code
 * byte
 *    0  virtual address
 *    8  remote key
 *   12  width in bytes: 4 or 8
 *   16  value to write or add
 *   24  value to compare with; 0 for an addition
 *   32  bits to swap; 0 for an addition
 *   40  bits to compare, or the top bits of the fields
 * }</pre>
 */
public final class MaskedAtomicEth {
    /** Length in bytes. */
    public static final int LENGTH = 48;

    private static final int RKEY = 8;
    private static final int WIDTH = 12;
    private static final int SWAP_ADD = 16;
    private static final int COMPARE = 24;
    private static final int SWAP_MASK = 32;
    private static final int COMPARE_ADD_MASK = 40;

    private MaskedAtomicEth() {}

    /**
     * Writes the address part.
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     * @param va virtual address
     * @param rkey remote key
     * @param width width in bytes
     */
    public static void writePlace(ByteBuffer b, int offset, long va, int rkey, int width) {
        b.putLong(offset, va);
        b.putInt(offset + RKEY, rkey);
        b.putInt(offset + WIDTH, width);
    }

    /**
     * Writes the operands.
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     * @param swapAdd value to write or add
     * @param compare value to compare with
     * @param swapMask bits to swap
     * @param compareAddMask bits to compare, or the top bits of the fields
     */
    public static void writeOperands(
            ByteBuffer b, int offset, long swapAdd, long compare, long swapMask, long compareAddMask) {
        b.putLong(offset + SWAP_ADD, swapAdd);
        b.putLong(offset + COMPARE, compare);
        b.putLong(offset + SWAP_MASK, swapMask);
        b.putLong(offset + COMPARE_ADD_MASK, compareAddMask);
    }

    /**
     * {@return the width in bytes}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int width(ByteBuffer b, int offset) {
        return b.getInt(offset + WIDTH);
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

    /**
     * {@return the bits to swap}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static long swapMask(ByteBuffer b, int offset) {
        return b.getLong(offset + SWAP_MASK);
    }

    /**
     * {@return the bits to compare, or the top bits of the fields}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static long compareAddMask(ByteBuffer b, int offset) {
        return b.getLong(offset + COMPARE_ADD_MASK);
    }
}
