/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import com.sun.management.ThreadMXBean;
import io.verbs4j.benchmarks.rc.RcEnd;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Two loops that post the same batch of writes to each of several pairs, run in turn in one JVM, because a difference
 * of a nanosecond cannot be measured between two JVMs. The result of each loop is the median of all batches.
 */
final class TwoLoops {
    private static final int MOST = 1 << 20;
    /**
     * Minimum and, below, maximum duration of the warm-up, as multiples of the measurement's. With less, not everything
     * is compiled.
     */
    private static final int WARM_UPS = 4;

    private static final int MOST_WARM_UPS = 20;
    private static final double ENOUGH_SECONDS = 2;
    private static final int LEAST_BATCHES = 5_000;
    private static final int GARBAGE_BATCHES = 1000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final List<Pair> pairs;
    private final IntSupplier[] loops;
    private final long[][] values = new long[2][MOST];
    private final int posts;

    /**
     * Creates the loops.
     *
     * @param pairs the pairs that they post to
     * @param first the first loop, which returns 0 or an errno
     * @param second the second loop, likewise
     */
    TwoLoops(List<Pair> pairs, IntSupplier first, IntSupplier second) {
        this.pairs = pairs;
        this.loops = new IntSupplier[] {first, second};
        this.posts = Batches.BATCH * pairs.size();
    }

    /** Returns the nanoseconds of a post by the first and by the second loop, then the bytes of garbage of both. */
    double[] measure(double seconds) {
        time(Math.max(WARM_UPS * seconds, Math.min(MOST_WARM_UPS * seconds, ENOUGH_SECONDS)), LEAST_BATCHES);
        int batches = time(seconds, 1);
        return new double[] {median(0, batches), median(1, batches), garbage(0), garbage(1)};
    }

    private int time(double seconds, int least) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        int batches = 0;
        do {
            for (int i = 0; i < 2; i++) {
                int which = (i + batches) % 2; // the loops take turns at going first
                before();
                long start = System.nanoTime();
                int error = loops[which].getAsInt();
                values[which][batches] = System.nanoTime() - start;
                after(error);
            }
            batches++;
        } while ((batches < least || System.nanoTime() < end) && batches < MOST);
        return batches;
    }

    private void before() {
        for (Pair pair : pairs) {
            pair.fill();
        }
    }

    private void after(int error) {
        RcEnd.posted(error);
        DeviceSim.pump();
        for (Pair pair : pairs) {
            pair.takeAll();
            pair.check();
        }
    }

    private double median(int which, int batches) {
        long[] sorted = Arrays.copyOf(values[which], batches);
        Arrays.sort(sorted);
        return (double) sorted[batches / 2] / posts;
    }

    private double garbage(int which) {
        long bytes = 0;
        for (int i = 0; i < GARBAGE_BATCHES; i++) {
            before();
            long start = THREADS.getCurrentThreadAllocatedBytes();
            int error = loops[which].getAsInt();
            bytes += THREADS.getCurrentThreadAllocatedBytes() - start;
            after(error);
        }
        return (double) bytes / (GARBAGE_BATCHES * posts);
    }
}
