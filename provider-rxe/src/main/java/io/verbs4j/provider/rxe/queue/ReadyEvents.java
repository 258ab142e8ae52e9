/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.AsyncEvent;
import io.verbs4j.EventType;
import io.verbs4j.QueuePair;

/**
 * The asynchronous events that an object can raise, created with it, and reserved room for each in the queue: there may
 * be no memory when one is raised. Fetching one returns a copy, because the same event may be raised again.
 */
public final class ReadyEvents {
    private static final int[] OF_A_QUEUE_PAIR = {
        EventType.QP_FATAL,
        EventType.QP_REQ_ERR,
        EventType.QP_ACCESS_ERR,
        EventType.COMM_EST,
        EventType.SQ_DRAINED,
        EventType.QP_LAST_WQE_REACHED
    };

    private final EventQueue<AsyncEvent> queue;
    private final AsyncEvent[] events;

    /**
     * Takes the events and reserves room for them.
     *
     * @param queue queue that receives them
     * @param events all events that the object can raise
     */
    public ReadyEvents(EventQueue<AsyncEvent> queue, AsyncEvent... events) {
        this.queue = queue;
        this.events = events;
        queue.reserve(events.length);
    }

    /** Creates the events of a queue pair or of a handle of one. */
    public static ReadyEvents of(EventQueue<AsyncEvent> queue, QueuePair qp) {
        AsyncEvent[] events = new AsyncEvent[OF_A_QUEUE_PAIR.length];
        for (int i = 0; i < events.length; i++) {
            events[i] = AsyncEvent.of(OF_A_QUEUE_PAIR[i], qp);
        }
        return new ReadyEvents(queue, events);
    }

    /** Raises an event. */
    public void raise(int type) {
        for (AsyncEvent event : events) {
            if (event.eventType() == type) {
                queue.add(event);
                return;
            }
        }
        throw new IllegalArgumentException("unexpected event of type " + type);
    }

    /** Drops the events that were not fetched; the object is gone. */
    public void drop() {
        if (events.length > 0) {
            queue.removeIf(e -> e.element() == events[0].element());
        }
        queue.reserve(-events.length);
    }
}
