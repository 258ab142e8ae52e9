/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AsyncEvent;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The events of one object that were handed out and not acknowledged yet. Acknowledgements are checked, but nothing
 * waits for them. Guarded by the lock of the {@link ObjectState}.
 */
final class EventCounts {
    private int completions;
    /**
     * Weak, because nobody acknowledges an event that the application has dropped. Null before the first event, which
     * most objects never have.
     */
    private Map<AsyncEvent, Integer> asyncEvents;

    void deliverCompletion() {
        completions =
                completions == Integer.MAX_VALUE ? completions : completions + 1; // a program need not acknowledge
    }

    void deliver(AsyncEvent event) {
        if (asyncEvents == null) {
            asyncEvents = new WeakHashMap<>();
        }
        asyncEvents.merge(event, 1, Integer::sum);
    }

    int completions() {
        return completions;
    }

    void claimCompletions(int count) {
        completions -= count;
    }

    boolean claim(AsyncEvent event) {
        if (asyncEvents == null || !asyncEvents.containsKey(event)) {
            return false;
        }
        asyncEvents.computeIfPresent(event, (e, count) -> count == 1 ? null : count - 1);
        return true;
    }
}
