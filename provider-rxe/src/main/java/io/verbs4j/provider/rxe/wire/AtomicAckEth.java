/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;

/**
 * Atomic acknowledge extended transport header: the value that an atomic operation found. It follows the AETH.
 *
 * <pre>{@code
 * byte  3 3 2 2 2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0
 *       1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
 *      +---------------------------------------------------------------+
 *    0 |             value before the operation, upper half            |
 *      +---------------------------------------------------------------+
 *    4 |             value before the operation, lower half            |
 *      +---------------------------------------------------------------+
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 9.5.3.
 */
public final class AtomicAckEth {
    /** Length in bytes. */
    public static final int LENGTH = 8;

    private AtomicAckEth() {}

    /**
     * Writes the whole header.
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     * @param orig value before the operation
     */
    public static void write(ByteBuffer b, int offset, long orig) {
        b.putLong(offset, orig);
    }

    /**
     * {@return the value before the operation}
     *
     * @param b big-endian buffer
     * @param offset index of the header in the buffer
     */
    public static long orig(ByteBuffer b, int offset) {
        return b.getLong(offset);
    }
}
