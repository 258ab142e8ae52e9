/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.natives.memory.PageSize;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The pages of a region that the device has touched: the counterpart of the page table of an adapter with on-demand
 * paging. All methods are thread-safe and allocate nothing.
 */
final class DemandPages {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final long firstPage;
    private final long[] seen;
    private final PageCounters counters;

    DemandPages(long address, long length, PageCounters counters) {
        this.firstPage = address / PageSize.BYTES;
        this.seen = new long[(int) (((address + length - 1) / PageSize.BYTES - firstPage) / Long.SIZE) + 1];
        this.counters = counters;
    }

    /** Records that a message touches memory. */
    void touch(long address, long bytes) {
        counters.faulted(note(address, bytes));
    }

    /** Records that memory was brought in before a message touched it. */
    void prefetched(long address, long bytes) {
        counters.prefetched(note(address, bytes));
    }

    /** Marks the pages of a range as seen and returns how many were new. */
    private long note(long address, long bytes) {
        if (bytes == 0) {
            return 0;
        }
        long from = address / PageSize.BYTES - firstPage;
        long last = (address + bytes - 1) / PageSize.BYTES - firstPage;
        long fresh = 0;
        while (from <= last) {
            int word = (int) (from / Long.SIZE);
            long bits = -1L << from;
            long next = (long) (word + 1) * Long.SIZE;
            if (last < next - 1) {
                bits &= -1L >>> Long.SIZE - 1 - last;
            }
            if (((long) WORD.getOpaque(seen, word) & bits) != bits) {
                fresh += Long.bitCount(bits & ~(long) WORD.getAndBitwiseOr(seen, word, bits));
            }
            from = next;
        }
        return fresh;
    }
}
