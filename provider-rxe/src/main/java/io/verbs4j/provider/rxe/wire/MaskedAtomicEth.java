/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * What a masked atomic operation does, and where. A format of this device alone, under opcodes of the manufacturers' range: nobody else
 * understands it.
 *
 * <pre>{@code
 * byte
 *    0  virtual address
 *    8  remote key
 *   12  bytes that it works on: 4 or 8
 *   16  new value, or what is added
 *   24  what to compare with; 0 where something is added
 *   32  which bits are swapped; 0 where something is added
 *   40  which bits are compared, or the top bits of fields
 * }</pre>
 */
public final class MaskedAtomicEth {
    /** Number of bytes. */
    public static final int LENGTH = 48;

    private static final int RKEY = 8;
    private static final int WIDTH = 12;
    private static final int SWAP_ADD = 16;
    private static final int COMPARE = 24;
    private static final int SWAP_MASK = 32;
    private static final int COMPARE_ADD_MASK = 40;

    private MaskedAtomicEth() {}

    /**
     * Writes where it is done.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @param va virtual address
     * @param rkey remote key
     * @param width bytes that it works on
     */
    public static void writePlace(ByteBuffer b, int offset, long va, int rkey, int width) {
        b.putLong(offset, va);
        b.putInt(offset + RKEY, rkey);
        b.putInt(offset + WIDTH, width);
    }

    /**
     * Writes what is done.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @param swapAdd the new value, or what is added
     * @param compare what to compare with
     * @param swapMask which bits are swapped
     * @param compareAddMask which bits are compared, or the top bits of fields
     */
    public static void writeOperands(
            ByteBuffer b, int offset, long swapAdd, long compare, long swapMask, long compareAddMask) {
        b.putLong(offset + SWAP_ADD, swapAdd);
        b.putLong(offset + COMPARE, compare);
        b.putLong(offset + SWAP_MASK, swapMask);
        b.putLong(offset + COMPARE_ADD_MASK, compareAddMask);
    }

    /**
     * Bytes that it works on.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @return the field
     */
    public static int width(ByteBuffer b, int offset) {
        return b.getInt(offset + WIDTH);
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
     * What to compare with.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @return the field
     */
    public static long compare(ByteBuffer b, int offset) {
        return b.getLong(offset + COMPARE);
    }

    /**
     * Which bits are swapped.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @return the field
     */
    public static long swapMask(ByteBuffer b, int offset) {
        return b.getLong(offset + SWAP_MASK);
    }

    /**
     * Which bits are compared, or the top bits of fields.
     *
     * @param b big-endian buffer
     * @param offset of the header in it
     * @return the field
     */
    public static long compareAddMask(ByteBuffer b, int offset) {
        return b.getLong(offset + COMPARE_ADD_MASK);
    }
}
