/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.tools.text.Progress;
import org.HdrHistogram.Histogram;

/**
 * Counts and times operations: first a warm-up that does not count, then the requested number of operations or time.
 */
final class Meter {
    private static final long WINDOW_NANOS = 20_000_000L;
    private static final long LONGEST_WARM_UP_NANOS = 500_000_000L;
    private static final int LONGEST_WARM_UP = 1000;

    private final int size;
    private final long iterations;
    private final long duration;
    private final long warmUpNanos;
    private final Progress progress;
    private final String label;
    private final Histogram times = new Histogram(3);

    private long start = System.nanoTime();
    private boolean warm;
    private StepResult.WarmUp warmUp = new StepResult.WarmUp(0, 0);
    private long outstanding;
    private long completed;
    private long pausedAt;
    private long end;
    private long windowStart;
    private long windowCount;
    private double peak;

    /**
     * Starts the warm-up.
     *
     * @param size bytes of an operation
     * @param limit how many operations, or how long, to count
     * @param progress where to show the progress
     * @param label what to show with it
     */
    Meter(int size, Session.Limit limit, Progress progress, String label) {
        this.size = size;
        this.iterations = limit.iterations();
        this.duration = limit.nanos();
        this.warmUpNanos =
                Math.max(limit.warmUpNanos(), iterations > 0 ? 0 : Math.min(duration / 5, LONGEST_WARM_UP_NANOS));
        this.progress = progress;
        this.label = label;
    }

    /** {@return whether another operation should be posted} */
    boolean wantsMore() {
        if (!warm) {
            return iterations == 0 || outstanding < iterations; // those in flight when the warm-up ends count
        }
        return iterations > 0 ? completed + outstanding < iterations : end - start < duration;
    }

    /** Records that an operation was posted. */
    void posted() {
        outstanding++;
    }

    /** Records that an operation is done. */
    void completed() {
        long now = System.nanoTime();
        outstanding--;
        completed++;
        end = now;
        if (warm) {
            windowCount++;
            if (now - windowStart >= WINDOW_NANOS) {
                closeWindow(now);
            }
            progress.at(label, iterations > 0 ? (double) completed / iterations : (double) (now - start) / duration);
        } else if (now - start >= warmUpNanos && completed >= Math.min(iterations / 10, LONGEST_WARM_UP)) {
            warm = true;
            warmUp = new StepResult.WarmUp(completed, now - start);
            completed = 0;
            start = now;
            windowStart = now;
        }
    }

    private void closeWindow(long now) {
        if (now > windowStart) {
            peak = Math.max(peak, windowCount * (double) size / (now - windowStart));
        }
        windowStart = now;
        windowCount = 0;
    }

    /** Records the time that one operation took. */
    void took(long nanos) {
        if (warm) {
            times.recordValue(Math.max(0, nanos));
        }
    }

    /** Stops the clock; nothing may be outstanding. */
    void pause() {
        pausedAt = System.nanoTime();
    }

    /** Continues the clock. */
    void resume() {
        long now = System.nanoTime();
        long pause = now - pausedAt;
        start += pause;
        windowStart += pause;
        end += pause;
    }

    /**
     * {@return what was measured}
     *
     * @param step the step that was run
     * @param sent operations posted, including the warm-up
     * @param lost how many of them did not arrive
     * @param bytesVerified bytes that were compared
     */
    StepResult result(Step step, long sent, long lost, long bytesVerified) {
        long nanos = Math.max(1, end - start);
        double share = sent == 0 ? 1 : (double) Math.max(0, sent - lost) / sent;
        double average = completed * (double) size / nanos * share;
        return new StepResult(
                step, warmUp, completed, nanos, Math.max(peak * share, average), average, lost, bytesVerified, times);
    }
}
