/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The memory of a ring: a header, submissions and completions. See {@link RingLayout}. */
public final class RingMemory {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int ALIGNMENT = 128;

    private final ByteBuffer bytes;
    private final int sqEntries;
    private final int cqEntries;

    /**
     * Allocates a ring's memory.
     *
     * @param sqEntries number of submissions, a power of two
     * @param cqEntries number of completions, a power of two
     */
    public RingMemory(int sqEntries, int cqEntries) {
        this.sqEntries = sqEntries;
        this.cqEntries = cqEntries;
        int size = RingLayout.HEADER + sqEntries * RingLayout.SQE + cqEntries * RingLayout.CQE;
        bytes = ByteBuffer.allocateDirect(size + ALIGNMENT)
                .alignedSlice(ALIGNMENT)
                .limit(size)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(RingLayout.MAGIC, RingLayout.MAGIC_VALUE)
                .putInt(RingLayout.VERSION, RingLayout.VERSION_VALUE)
                .putInt(RingLayout.SQ_ENTRIES, sqEntries)
                .putInt(RingLayout.CQ_ENTRIES, cqEntries)
                .putInt(RingLayout.SQ_ENTRY_SIZE, RingLayout.SQE)
                .putInt(RingLayout.CQ_ENTRY_SIZE, RingLayout.CQE);
    }

    /** The whole memory, little-endian; other threads change it. */
    public ByteBuffer bytes() {
        return bytes;
    }

    int sqEntries() {
        return sqEntries;
    }

    int cqEntries() {
        return cqEntries;
    }

    /** Returns the offset of the submission at a position. */
    int submission(int position) {
        return RingLayout.HEADER + (position & sqEntries - 1) * RingLayout.SQE;
    }

    /** Returns the offset of the completion at a position. */
    int completion(int position) {
        return RingLayout.HEADER + sqEntries * RingLayout.SQE + (position & cqEntries - 1) * RingLayout.CQE;
    }

    int acquire(int offset) {
        return (int) INT.getAcquire(bytes, offset);
    }

    void release(int offset, int value) {
        INT.setRelease(bytes, offset, value);
    }

    int flags() {
        return (int) INT.getVolatile(bytes, RingLayout.FLAGS);
    }

    void setFlag(int bit) {
        INT.getAndBitwiseOr(bytes, RingLayout.FLAGS, bit);
    }

    void clearFlag(int bit) {
        INT.getAndBitwiseAnd(bytes, RingLayout.FLAGS, ~bit);
    }
}
