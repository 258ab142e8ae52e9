/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/** Rings in the program's own memory, as shown in docs/guides/mlx5dv.md. */
public final class AllocatorExample {
    private static final int PAGE = 4096;

    private AllocatorExample() {}

    /** Hands out whole pages of one piece of memory. */
    static final class Arena implements BufferAllocator {
        private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 22).alignedSlice(PAGE);
        private final long start = NativeMemory.address(memory);
        private int used;

        @Override
        public synchronized long allocate(long size) {
            long pages = (size + PAGE - 1) / PAGE * PAGE;
            if (pages > memory.capacity() - used) {
                return 0; // the queue is not created: ENOMEM
            }
            used += (int) pages;
            return start + used - pages;
        }

        @Override
        public void free(long address) {
            // all freed together with the arena
        }
    }

    /** Creates a completion queue whose ring lies in an arena. */
    public static CompletionQueue queue(Context context) {
        context.vendor(Mlx5Dv.class).bufferAllocator(new Arena());
        return context.createCq(1000);
    }
}
