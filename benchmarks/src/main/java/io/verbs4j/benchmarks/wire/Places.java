/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.benchmarks.harness.Contents;
import java.nio.ByteBuffer;

/**
 * Memory of one end: a ring of places where messages arrive, and behind it one message to send. The ring is as large as a
 * large message, so that it stays in the cache.
 */
public final class Places {
    private static final int BYTES = 64 << 10;

    private final int size;
    private final int count;
    private final ByteBuffer memory;
    private final ByteBuffer source;
    private final ByteBuffer target;

    /** Makes it, for messages of so many bytes. */
    public Places(int size) {
        this.size = size;
        count = Integer.highestOneBit(Math.max(1, BYTES / size));
        memory = Contents.allocate(size * (1 + count));
        target = memory.slice(0, size * count);
        source = memory.slice(size * count, size);
    }

    /** All of it. */
    public ByteBuffer memory() {
        return memory;
    }

    /** How many messages there is room for, a power of two; the next goes where the first one was. */
    public int count() {
        return count;
    }

    /** Where the message to send begins, in bytes. */
    public int sourceOffset() {
        return size * count;
    }

    /** Sets the contents of the message to send, and clears the places. */
    public void prepare(long seed) {
        Contents.fill(source, seed);
        Contents.clear(target);
    }

    /**
     * Throws where other messages than so many have arrived, or where they are wrong.
     *
     * @param messages how many were sent
     * @param more whether some more may have been sent
     */
    public void check(long messages, boolean more) {
        int right = 0;
        for (int i = 0; i < count; i++) {
            if (target.slice(i * size, size).equals(source)) {
                right++;
            }
        }
        long expected = Math.min(messages, count);
        if (right < expected || right > expected && !more) {
            throw new IllegalStateException(
                    "wrong data: of the last " + expected + " messages only " + right + " arrived as they were sent");
        }
    }
}
