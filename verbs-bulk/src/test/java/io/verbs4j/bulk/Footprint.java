/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.LiveHeap;
import io.verbs4j.testsupport.Patience;
import java.io.File;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/**
 * Memory, threads and descriptors of this process. Connections register direct memory, which their regions keep
 * reachable.
 *
 * @param heap number of reachable bytes
 * @param direct number of bytes of direct memory
 * @param threads number of running threads
 * @param descriptors number of open files; 0 if the system does not report it
 */
record Footprint(long heap, long direct, int threads, int descriptors) {
    private static final int COLLECTIONS = 3;
    private static final long PAUSE_MILLIS = 50;

    /** Measures after a garbage collection. */
    static Footprint now() throws InterruptedException {
        for (int i = 0; i < COLLECTIONS; i++) { // memory freed by a cleaner goes with the next one
            System.gc();
            Thread.sleep(PAUSE_MILLIS);
        }
        BufferPoolMXBean pool = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(one -> one.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        String[] open = new File("/proc/self/fd").list();
        return new Footprint(
                LiveHeap.bytes(),
                pool.getMemoryUsed(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                open == null ? 0 : open.length);
    }

    /** Waits until the process uses no more than now, except for some bytes of heap and of direct memory. */
    void assertReturns(long moreHeap, long moreDirect) throws InterruptedException {
        Footprint left = now();
        long start = System.nanoTime();
        while (!left.isWithin(this, moreHeap, moreDirect) && System.nanoTime() - start < Patience.NANOS) {
            left = now();
        }
        assertThat(left.isWithin(this, moreHeap, moreDirect))
                .as("%s must come back to %s", left, this)
                .isTrue();
    }

    private boolean isWithin(Footprint before, long moreHeap, long moreDirect) {
        return heap <= before.heap + moreHeap
                && direct <= before.direct + moreDirect
                && threads <= before.threads
                && descriptors <= before.descriptors;
    }
}
