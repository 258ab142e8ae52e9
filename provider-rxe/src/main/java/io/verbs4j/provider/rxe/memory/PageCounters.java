/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts pages of memory that is registered on demand. */
public final class PageCounters {
    private final AtomicLong faults = new AtomicLong();
    private final AtomicLong prefetched = new AtomicLong();

    PageCounters() {}

    void faulted(long pages) {
        if (pages != 0) {
            faults.getAndAdd(pages);
        }
    }

    void prefetched(long pages) {
        if (pages != 0) {
            prefetched.getAndAdd(pages);
        }
    }

    /** Pages that a message was the first to touch. */
    public long faults() {
        return faults.get();
    }

    /** Pages that were made known before a message touched them. */
    public long prefetched() {
        return prefetched.get();
    }

    /** All by name; the names are those of the kernel's counters. */
    public Map<String, Long> snapshot() {
        return Map.of("page_faults", faults(), "page_prefetch", prefetched());
    }
}
