/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.natives.lock.Nap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the calls that use a resource, so that it ends only once no call uses it. Thread-safe. */
class Gate {
    private static final int CLOSED = Integer.MIN_VALUE;

    private final AtomicInteger users = new AtomicInteger();

    /** Begins a use; returns false if the gate is closed. */
    final boolean enter() {
        if (users.getAndIncrement() < 0) {
            users.getAndDecrement();
            return false;
        }
        return true;
    }

    /** Ends a use for which {@link #enter} returned true. */
    final void exit() {
        users.getAndDecrement();
    }

    /**
     * Closes the gate after the calls in progress; the caller must make sure that these end. Returns false if it was
     * closed before.
     */
    final boolean shut() {
        int now;
        do {
            now = users.get();
            if (now < 0) {
                return false;
            }
        } while (!users.compareAndSet(now, now | CLOSED));
        for (int i = 0; users.get() != CLOSED; i++) {
            Nap.spin(i, 100, 20_000);
        }
        return true;
    }
}
