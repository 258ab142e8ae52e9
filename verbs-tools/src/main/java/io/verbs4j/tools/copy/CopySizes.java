/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

/** Sizes that both sides agree on. */
final class CopySizes {
    /** Bytes of a block, the unit of checksums and transfers. */
    static final int BLOCK = 1 << 20;

    /** Blocks in flight at a time. */
    static final int SLOTS = 8;

    /** Bytes of the longest message; below the length that the transport copies. */
    static final int MESSAGE = 3072;

    /** Posted receives: at most a block message for each slot, and a few others. */
    static final int RECEIVES = 16;

    /** Messages in flight that are not about blocks. */
    static final int SENDS = 8;

    /** Entries of a ring: all of the above, and puts. */
    static final int RING = 64;

    /** Bytes of UTF-8 in the longest path that a sender may name. */
    static final int PATH = 1024;

    /** Bytes of UTF-8 in the longest text of a message. */
    static final int TEXT = 1500;

    private CopySizes() {}

    /** {@return the number of blocks of a file} */
    static long blocks(long bytes) {
        return (bytes + BLOCK - 1) / BLOCK;
    }

    /** {@return the length of a block of a file in bytes} */
    static int blockBytes(long fileBytes, long index) {
        return (int) Math.min(BLOCK, fileBytes - index * BLOCK);
    }
}
