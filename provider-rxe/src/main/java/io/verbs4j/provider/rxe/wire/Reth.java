/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * RDMA extended transport header: the range of the responder's memory that a request is for.
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
 *   12 |                  length of the whole message                  |
 *      +---------------------------------------------------------------+
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 9.3.3.
 */
public final class Reth {
    /** Length in bytes. */
    public static final int LENGTH = 16;

    private static final int RKEY = 8;
    private static final int DMA_LENGTH = 12;

    private Reth() {}

    /**
     * Writes the whole header.
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     * @param va virtual address
     * @param rkey remote key
     * @param length length of the whole message in bytes, as an unsigned 32-bit number
     */
    public static void write(ByteBuffer b, int offset, long va, int rkey, long length) {
        b.putLong(offset, va);
        b.putInt(offset + RKEY, rkey);
        b.putInt(offset + DMA_LENGTH, (int) length);
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
     * {@return the length of the whole message in bytes, 0 to 2^32 - 1}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static long length(ByteBuffer b, int offset) {
        return Integer.toUnsignedLong(b.getInt(offset + DMA_LENGTH));
    }
}
