/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.natives.lock.Nap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the calls that use something, which ends only when no call does any more. Any thread may use it. */
class Gate {
    private static final int CLOSED = Integer.MIN_VALUE;

    private final AtomicInteger users = new AtomicInteger();

    /** Keeps it open; false where it is closed already. */
    final boolean enter() {
        if (users.getAndIncrement() < 0) {
            users.getAndDecrement();
            return false;
        }
        return true;
    }

    /** Ends an {@link #enter} that was answered with true. */
    final void exit() {
        users.getAndDecrement();
    }

    /** Closes, after the calls under way: whoever calls this has made sure that they end. False where it was closed before. */
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
