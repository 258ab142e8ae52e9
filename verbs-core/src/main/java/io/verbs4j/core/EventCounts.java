/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.AsyncEvent;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The events of one object that were handed out and not yet given back. Guarded by the lock of its {@link ObjectState}.
 *
 * <p>Giving back has two steps, because the provider is told in between: an event is claimed, so that nobody else gives
 * it back, and then settled, so that the object may go.
 */
final class EventCounts {
    /** Handed out and not settled. */
    private int pending;

    /** Completion events that may be claimed. */
    private int completions;

    /** Asynchronous events that may be claimed. Weak: an event that the application has dropped nobody will give back. */
    private final Map<AsyncEvent, Integer> asyncEvents = new WeakHashMap<>();

    void deliverCompletion() {
        completions++;
        pending++;
    }

    void deliver(AsyncEvent event) {
        asyncEvents.merge(event, 1, Integer::sum);
        pending++;
    }

    int completions() {
        return completions;
    }

    void claimCompletions(int count) {
        completions -= count;
    }

    boolean claim(AsyncEvent event) {
        if (!asyncEvents.containsKey(event)) {
            return false;
        }
        asyncEvents.computeIfPresent(event, (e, count) -> count == 1 ? null : count - 1);
        return true;
    }

    void settle(int count) {
        pending -= count;
    }

    boolean anyPending() {
        return pending > 0;
    }
}
