/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import java.util.concurrent.TimeUnit;

/** How long a sender tries to connect again after a loss, and how long it waits between. For one thread. */
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

    /** Something was transferred: a loss from now on is a new one. */
    void advanced() {
        attempts = 0;
    }

    /** Waits before the next attempt, each time longer; false where the time is over. */
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
