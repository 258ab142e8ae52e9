/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.harness;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Contents of messages: different for each seed and each position. */
public final class Contents {
    private static final int ALIGNMENT = 4096;
    private static final int CLEARED_AT_ONCE = 64 << 10;
    private static final long STEP = 0x9e37_79b9_7f4a_7c15L;

    private Contents() {}

    /** Allocates a page-aligned direct buffer, as a performance-conscious application does. */
    public static ByteBuffer allocate(int bytes) {
        int pages = (bytes + ALIGNMENT - 1) / ALIGNMENT;
        return ByteBuffer.allocateDirect((pages + 1) * ALIGNMENT)
                .alignedSlice(ALIGNMENT)
                .slice(0, bytes)
                .order(ByteOrder.nativeOrder());
    }

    /** Fills a buffer. */
    public static void fill(ByteBuffer buffer, long seed) {
        int at = 0;
        for (; at + Long.BYTES <= buffer.capacity(); at += Long.BYTES) {
            buffer.putLong(at, mix(seed + STEP * (at + 1)));
        }
        for (; at < buffer.capacity(); at++) {
            buffer.put(at, (byte) mix(seed + STEP * (at + 1)));
        }
    }

    private static long mix(long z) {
        z = (z ^ z >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        return z ^ z >>> 27;
    }

    /** Sets a buffer to zero. */
    public static void clear(ByteBuffer buffer) {
        byte[] zeros = new byte[Math.min(buffer.capacity(), CLEARED_AT_ONCE)];
        for (int at = 0; at < buffer.capacity(); at += zeros.length) {
            buffer.put(at, zeros, 0, Math.min(zeros.length, buffer.capacity() - at));
        }
    }

    /** Throws if the complete contents of two buffers differ. */
    public static void check(ByteBuffer found, ByteBuffer expected) {
        int at = found.duplicate().clear().mismatch(expected.duplicate().clear());
        if (at >= 0) {
            throw new IllegalStateException("wrong data at byte " + at + " of " + expected.capacity());
        }
    }
}
