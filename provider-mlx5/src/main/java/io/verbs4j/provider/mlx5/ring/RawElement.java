/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.natives.memory.NativeMemory;

/** Copies elements that the program wrote, except for their index, which the ring sets. */
public final class RawElement {
    /** Offset of the byte with the size of an element. */
    public static final int SIZE_AT = 7;

    private static final int SEGMENTS = 0x3f;
    private static final int INDEX = 0xffff;

    /** The part of the first word that is not the index. */
    private static final int OPERATION = 0xff0000ff;

    private RawElement() {}

    /** Returns the length of an element in bytes, from its byte at {@link #SIZE_AT}. */
    public static int length(int size) {
        return (size & SEGMENTS) * Wqe.SEGMENT;
    }

    /** Writes an element, with the lock of the queue held; returns 0 or an errno. */
    public static int write(SendRing ring, long wrId, byte[] bytes, int length) {
        if (length(bytes[SIZE_AT]) != length) {
            return Errno.EINVAL; // changed since it was checked
        }
        int error = ring.take(length + Wqe.BLOCK - 1 >>> 6);
        if (error != 0) {
            return error;
        }
        int block = ring.block;
        ring.note(block, ring.head, wrId);
        for (int i = Long.BYTES; i < length; i++) {
            NativeMemory.putByte(ring.wrap(ring.elementAt(block) + i), bytes[i]);
        }
        int first = word(bytes, 0) & OPERATION | (block & INDEX) << 8;
        ring.closeRaw(NativeMemory.fromNetwork(
                Wqe.words(first, word(bytes, Integer.BYTES) & ~SEGMENTS | length >>> 4)));
        return 0;
    }

    private static int word(byte[] bytes, int at) {
        return bytes[at] << 24 | (bytes[at + 1] & 0xff) << 16 | (bytes[at + 2] & 0xff) << 8 | bytes[at + 3] & 0xff;
    }
}
