/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * XRC extended transport header: the shared receive queue that a request is for. Directly after the BTH, in requests
 * only.
 *
 * <pre>{@code
 * byte  3 3 2 2 2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0
 *       1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
 *      +---------------+-----------------------------------------------+
 *    0 |    reserved   |              XRC shared receive queue         |
 *      +---------------+-----------------------------------------------+
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, annex A14.
 */
public final class Xrceth {
    /** Length in bytes. */
    public static final int LENGTH = 4;

    private static final int MASK_24 = 0xff_ffff;

    private Xrceth() {}

    /**
     * Writes the whole header.
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     * @param srqNum number of the shared receive queue
     */
    public static void write(ByteBuffer b, int offset, int srqNum) {
        b.putInt(offset, srqNum & MASK_24);
    }

    /**
     * {@return the number of the shared receive queue}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static int srqNum(ByteBuffer b, int offset) {
        return b.getInt(offset) & MASK_24;
    }
}
