/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The contents of messages. Every byte depends on the message and on its position, so that bytes that are missing,
 * stale, moved or from another message are detected.
 */
public final class Pattern {
    private static final int WORD = 8;
    private static final long STEP = 0x9e3779b97f4a7c15L;

    private Pattern() {}

    /**
     * Numbers a message.
     *
     * @param side the sender: 0 the client, 1 the server
     * @param queuePair the sender's queue pair, from 0
     * @param sequence position among the messages that the side sends on that queue pair, from 0
     */
    public static long seed(int side, int queuePair, long sequence) {
        return (sequence * 1024 + queuePair) * 2 + side;
    }

    /**
     * Fills a message.
     *
     * @param buffer the buffer, little-endian
     * @param offset where the message begins
     * @param length its length in bytes
     * @param seed its number
     */
    public static void fill(ByteBuffer buffer, int offset, int length, long seed) {
        long base = base(seed);
        int i = 0;
        for (; i + WORD <= length; i += WORD) {
            buffer.putLong(offset + i, word(base, i));
        }
        for (; i < length; i++) {
            buffer.put(offset + i, byteOf(base, i));
        }
    }

    /**
     * Compares a message with its expected contents.
     *
     * @return the offset in the message of the first byte that differs, or -1 if none does
     */
    public static int firstDifference(ByteBuffer buffer, int offset, int length, long seed) {
        long base = base(seed);
        int i = 0;
        for (; i + WORD <= length; i += WORD) {
            long difference = buffer.getLong(offset + i) ^ word(base, i);
            if (difference != 0) {
                return i + Long.numberOfTrailingZeros(difference) / WORD;
            }
        }
        for (; i < length; i++) {
            if (buffer.get(offset + i) != byteOf(base, i)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * {@return the byte at a position of a message}
     *
     * @param seed the message's number
     * @param index the position, from 0
     */
    public static byte at(long seed, int index) {
        return byteOf(base(seed), index);
    }

    private static byte byteOf(long base, int index) {
        return (byte) (word(base, index & -WORD) >>> (index & WORD - 1) * WORD);
    }

    /** {@return the base of all words of a message: one step of the SplitMix generator} */
    private static long base(long seed) {
        long z = (seed + 1) * STEP;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** {@return a word of a message} Cheap, because it is computed for every word sent and received. */
    private static long word(long base, int index) {
        long z = base + index * STEP;
        z = (z ^ z >>> 32) * 0xbf58476d1ce4e5b9L;
        return z ^ z >>> 29;
    }

    /**
     * Allocates a buffer in the byte order of the patterns.
     *
     * @param length its length in bytes
     */
    public static ByteBuffer allocate(int length) {
        return ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
