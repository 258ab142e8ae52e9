/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts threads that wait for events. */
class CountingWaiters implements EventQueue.Waiters {
    final AtomicInteger waiting = new AtomicInteger();

    @Override
    public void begin() {
        waiting.incrementAndGet();
    }

    @Override
    public void end() {
        waiting.decrementAndGet();
    }
}
