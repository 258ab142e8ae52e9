/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** The bytes that the calling thread has allocated so far. */
final class Allocated {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocated() {}

    static long bytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
