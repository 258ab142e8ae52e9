/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.benchmarks.harness.Contents;
import java.nio.ByteBuffer;

/**
 * The memory of one end: a ring of places where messages arrive, followed by one message to send. The ring is no larger
 * than a large message, so that it stays in the cache.
 */
public final class Places {
    private static final int BYTES = 64 << 10;

    private final int size;
    private final int count;
    private final ByteBuffer memory;
    private final ByteBuffer source;
    private final ByteBuffer target;

    /** Allocates the memory for messages of {@code size} bytes. */
    public Places(int size) {
        this.size = size;
        count = Integer.highestOneBit(Math.max(1, BYTES / size));
        memory = Contents.allocate(size * (1 + count));
        target = memory.slice(0, size * count);
        source = memory.slice(size * count, size);
    }

    /** Returns all of the memory. */
    public ByteBuffer memory() {
        return memory;
    }

    /** Returns the number of places, a power of two; they are used in turn. */
    public int count() {
        return count;
    }

    /** Returns the offset of the message to send, in bytes. */
    public int sourceOffset() {
        return size * count;
    }

    /** Sets the contents of the message to send, and clears the places. */
    public void prepare(long seed) {
        Contents.fill(source, seed);
        Contents.clear(target);
    }

    /**
     * Throws if the number of messages that arrived is not the expected one, or their contents are wrong.
     *
     * @param messages number of messages sent
     * @param more whether a few more may have been sent
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
