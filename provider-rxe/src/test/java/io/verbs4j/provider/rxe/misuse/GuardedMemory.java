/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * The memory to register: pieces between guards that must never be written. Lives as long as the JVM, as memory
 * registered by address must.
 */
final class GuardedMemory {
    static final int SIZE = 1 << 16;
    private static final int GUARD = 1 << 12;
    private static final byte GUARD_BYTE = (byte) 0xa7;
    private static final int PIECES = 8;

    private final ByteBuffer[] buffers = new ByteBuffer[PIECES];

    GuardedMemory() {
        for (int i = 0; i < PIECES; i++) {
            buffers[i] = ByteBuffer.allocateDirect(GUARD + SIZE + GUARD);
            NativeMemory.fill(NativeMemory.address(buffers[i]), buffers[i].capacity(), GUARD_BYTE);
        }
    }

    /** A part of one of the pieces, as a buffer. */
    ByteBuffer part(SplittableRandom random) {
        int from = random.nextInt(SIZE - 1);
        int length = 1 + random.nextInt(SIZE - from);
        return buffers[random.nextInt(PIECES)]
                .duplicate()
                .position(GUARD + from)
                .limit(GUARD + from + length);
    }

    static long address(ByteBuffer part) {
        return NativeMemory.address(part) + part.position();
    }

    /** Returns a piece with an overwritten guard byte, or -1. */
    int damaged() {
        for (int i = 0; i < PIECES; i++) {
            ByteBuffer b = buffers[i];
            for (int at = 0; at < GUARD; at++) {
                if (b.get(at) != GUARD_BYTE || b.get(GUARD + SIZE + at) != GUARD_BYTE) {
                    return i;
                }
            }
        }
        return -1;
    }

    /** Fills everything between the guards. */
    void fill(byte value) {
        for (ByteBuffer b : buffers) {
            NativeMemory.fill(NativeMemory.address(b) + GUARD, SIZE, value);
        }
    }

    boolean isFilledWith(byte value) {
        for (ByteBuffer b : buffers) {
            for (int at = GUARD; at < GUARD + SIZE; at++) {
                if (b.get(at) != value) {
                    return false;
                }
            }
        }
        return true;
    }
}
