/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.ordering;

import io.verbs4j.natives.memory.NativeMemory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Zeroed memory outside of the heap for the instances of a test. Blocks are reused in turn, since there are millions of
 * instances and no event says when one is no longer used. jcstress uses at most some ten thousand at a time.
 */
public final class Blocks {
    static final int SIZE = 512;
    private static final int COUNT = 1 << 17;
    private static final long MEMORY = NativeMemory.allocate((long) COUNT * SIZE);
    private static final AtomicInteger NEXT = new AtomicInteger();

    private Blocks() {}

    /** Returns a block that no other instance gets for a long time. */
    public static long take() {
        long at = MEMORY + (long) (NEXT.getAndIncrement() & COUNT - 1) * SIZE;
        NativeMemory.clear(at, SIZE);
        return at;
    }
}
