/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts pages of memory that is registered for on-demand paging. */
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

    /** {@return the number of pages that a message was the first to touch} */
    public long faults() {
        return faults.get();
    }

    /** {@return the number of pages that were brought in before a message touched them} */
    public long prefetched() {
        return prefetched.get();
    }

    /** {@return all counters by name, with the names of the kernel's counters} */
    public Map<String, Long> snapshot() {
        return Map.of("page_faults", faults(), "page_prefetch", prefetched());
    }
}
