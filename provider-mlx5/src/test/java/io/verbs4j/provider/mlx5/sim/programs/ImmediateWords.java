/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.QueuePair;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.sim.Check;

/**
 * The word for immediate data and keys in an element: if a request has neither, libmlx5's builder leaves it unchanged,
 * while its post_send and Java write 0. The device ignores it.
 */
final class ImmediateWords {
    private static final int BLOCK = 64;
    private static final int AT = 12;
    private static final int OP_SEND_INVALIDATE = 0x01;
    private static final int OP_WRITE_IMMEDIATE = 0x09;
    private static final int OP_SEND_IMMEDIATE = 0x0b;
    private static final int OP_UMR = 0x25;

    private ImmediateWords() {}

    /**
     * Clears the word where it has no meaning, in what was posted since a block and in the doorbell register; returns
     * the next block.
     */
    static int clear(QueuePair qp, int since) {
        DvObjects.Qp ring = DvObjects.qp(((NativeQueuePair) qp).ibv.address());
        int end = NativeMemory.getNetInt(ring.dbrec() + Integer.BYTES) & 0xffff;
        int block = since;
        while ((block & 0xffff) != end) {
            long at = ring.sqBuf() + (long) (block & ring.sqCount() - 1) * BLOCK;
            clear(at);
            int size = (NativeMemory.getByte(at + 7) & 0x3f) * 16;
            Check.require(size != 0, "an element of no size at block " + block);
            block += (size + BLOCK - 1) / BLOCK;
        }
        for (int i = 0; i < 2 && ring.bfSize() >= BLOCK; i++) { // the copies in the doorbell register
            clear(ring.bfReg() + (long) i * ring.bfSize());
        }
        return block;
    }

    private static void clear(long element) {
        if (!hasOne(NativeMemory.getByte(element + 3))) {
            NativeMemory.putInt(element + AT, 0);
        }
    }

    private static boolean hasOne(int operation) {
        return switch (operation) {
            case OP_SEND_INVALIDATE, OP_WRITE_IMMEDIATE, OP_SEND_IMMEDIATE, OP_UMR -> true;
            default -> false;
        };
    }
}
