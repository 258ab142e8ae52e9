/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * Datagram extended transport header: the sender of a datagram, and the key that admits it.
 *
 * <pre>{@code
 * byte  3 3 2 2 2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0
 *       1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
 *      +---------------------------------------------------------------+
 *    0 |                           queue key                           |
 *      +---------------+-----------------------------------------------+
 *    4 |    reserved   |               source queue pair               |
 *      +---------------+-----------------------------------------------+
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 9.3.2.
 */
public final class Deth {
    /** Length in bytes. */
    public static final int LENGTH = 8;

    /** Queue key of the general service queue pair, number 1. */
    public static final int GSI_QKEY = 0x8001_0000;

    private static final int SOURCE = 4;
    private static final int MASK_24 = 0xff_ffff;

    private Deth() {}

    /**
     * Writes the whole header.
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     * @param qkey queue key
     * @param srcQp queue pair number of the sender
     */
    public static void write(ByteBuffer b, int offset, int qkey, int srcQp) {
        b.putInt(offset, qkey);
        b.putInt(offset + SOURCE, srcQp & MASK_24);
    }

    /**
     * {@return the queue key}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int qkey(ByteBuffer b, int offset) {
        return b.getInt(offset);
    }

    /**
     * {@return the queue pair number of the sender}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int srcQp(ByteBuffer b, int offset) {
        return b.getInt(offset + SOURCE) & MASK_24;
    }
}
