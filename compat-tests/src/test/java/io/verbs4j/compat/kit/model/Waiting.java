/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** How the model waits. */
final class Waiting {
    private Waiting() {}

    /** Waits for an event. */
    static <T> T await(String verb, Deque<T> events, BooleanSupplier closed, long timeoutNanos) {
        return await(verb, events, closed, () -> false, timeoutNanos);
    }

    /** Waits for an event, or for a wakeup without one. */
    static <T> T await(String verb, Deque<T> events, BooleanSupplier closed, BooleanSupplier woken, long timeoutNanos) {
        long end = System.nanoTime() + timeoutNanos;
        synchronized (Fabric.LOCK) {
            if (Fault.WAKE_BEFORE_EVENT.on() && timeoutNanos != 0 && woken.getAsBoolean()) {
                return null;
            }
            while (events.isEmpty()) {
                if (closed.getAsBoolean()) {
                    throw new VerbsException(Errno.EBADF, verb, "it is closed");
                }
                long left = timeoutNanos < 0 ? Long.MAX_VALUE : end - System.nanoTime();
                if (left <= 0 || woken.getAsBoolean()) {
                    return null;
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(Fabric.LOCK, Math.min(left, 1_000_000_000) + 1_000_000);
                } catch (InterruptedException e) {
                    if (!Fault.IGNORES_INTERRUPT.on()) {
                        Thread.currentThread().interrupt();
                        throw new VerbsException(Errno.EINTR, verb, "interrupted", e);
                    }
                }
            }
            return events.poll();
        }
    }

    /** Waits until all delivered events are acknowledged, which no correct device does. */
    static void untilAcknowledged(BooleanSupplier all) {
        while (!all.getAsBoolean()) {
            try {
                Fabric.LOCK.wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new VerbsException(Errno.EINTR, "destroy", "interrupted", e);
            }
        }
    }
}
