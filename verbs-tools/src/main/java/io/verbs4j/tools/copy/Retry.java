/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import java.util.concurrent.TimeUnit;

/** How long a sender tries to reconnect after a loss, and how long it waits between attempts. Not thread-safe. */
final class Retry {
    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final long nanos;
    private long since;
    private int attempts;

    Retry(int seconds) {
        nanos = TimeUnit.SECONDS.toNanos(seconds);
    }

    /** {@return whether the connection was lost and nothing was transferred since} */
    boolean isTrying() {
        return attempts > 0;
    }

    /** Records that something was transferred: a loss from now on is a new one. */
    void advanced() {
        attempts = 0;
    }

    /** Waits before the next attempt, longer each time; returns false when the time is up. */
    boolean pause() {
        long now = System.nanoTime();
        if (attempts == 0) {
            since = now;
        }
        long left = since + nanos - now;
        if (left <= 0) {
            return false;
        }
        long pause = Math.min(MOST_NANOS, LEAST_NANOS << Math.min(attempts, 10));
        attempts++;
        try {
            TimeUnit.NANOSECONDS.sleep(Math.min(pause, left));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return true;
    }
}
