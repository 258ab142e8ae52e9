/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which session of a receiver writes which file. A sender that has lost its connection and comes back takes its file
 * over from its former session.
 */
final class Claims {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);

    private record Claim(long copyId, Runnable end) {}

    private final Map<Path, Claim> claims = new HashMap<>();

    /**
     * Claims a file.
     *
     * @param target the file
     * @param copyId the sender's identifier
     * @param end ends the claiming session when the same sender comes back
     * @return whether it is claimed; false if another sender has it, or the former session did not end in time
     */
    synchronized boolean claim(Path target, long copyId, Runnable end) {
        long limit = System.nanoTime() + PATIENCE_NANOS;
        Claim other = claims.get(target);
        while (other != null) {
            long left = limit - System.nanoTime();
            if (other.copyId != copyId || left <= 0) {
                return false;
            }
            other.end.run();
            try {
                TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, TimeUnit.SECONDS.toNanos(1)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            other = claims.get(target);
        }
        claims.put(target, new Claim(copyId, end));
        return true;
    }

    /** Releases a claimed file. */
    synchronized void release(Path target) {
        claims.remove(target);
        notifyAll();
    }
}
