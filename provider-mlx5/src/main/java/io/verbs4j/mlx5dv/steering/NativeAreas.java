/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.natives.memory.NativeMemory;
import java.util.concurrent.atomic.AtomicLongArray;

/** Pieces of native memory of one size, each for the duration of a call and then reused. Thread-safe and lock-free. */
final class NativeAreas {
    private static final int SLOTS = 8;

    private final AtomicLongArray free = new AtomicLongArray(SLOTS);
    private final int size;

    NativeAreas(int size) {
        this.size = size;
    }

    /** Returns a piece, whose contents are those that the last user left. */
    long take() {
        for (int i = 0, at = slot(); i < SLOTS; i++, at = (at + 1) % SLOTS) {
            if (free.get(at) != 0) {
                long address = free.getAndSet(at, 0);
                if (address != 0) {
                    return address;
                }
            }
        }
        return NativeMemory.allocate(size);
    }

    /** Returns a piece for reuse. */
    void give(long address) {
        for (int i = 0, at = slot(); i < SLOTS; i++, at = (at + 1) % SLOTS) {
            if (free.get(at) == 0 && free.compareAndSet(at, 0, address)) {
                return;
            }
        }
        NativeMemory.free(address);
    }

    private static int slot() {
        return (int) (Thread.currentThread().getId() & SLOTS - 1);
    }

    /** Frees all pieces; called when none is in use. */
    void close() {
        for (int i = 0; i < SLOTS; i++) {
            NativeMemory.free(free.getAndSet(i, 0));
        }
    }
}
