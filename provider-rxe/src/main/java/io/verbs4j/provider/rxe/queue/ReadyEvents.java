/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.AsyncEvent;
import io.verbs4j.EventType;
import io.verbs4j.QueuePair;

/**
 * The asynchronous events that can happen to an object, made with it, and room for each in the queue: when one happens there
 * may be no memory. Who fetches one gets a copy, as the same may happen again.
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
     * Takes them.
     *
     * @param queue where they go to
     * @param events all that can happen
     */
    public ReadyEvents(EventQueue<AsyncEvent> queue, AsyncEvent... events) {
        this.queue = queue;
        this.events = events;
        queue.reserve(events.length);
    }

    /** Those of a queue pair, or of a handle of one. */
    public static ReadyEvents of(EventQueue<AsyncEvent> queue, QueuePair qp) {
        AsyncEvent[] events = new AsyncEvent[OF_A_QUEUE_PAIR.length];
        for (int i = 0; i < events.length; i++) {
            events[i] = AsyncEvent.of(OF_A_QUEUE_PAIR[i], qp);
        }
        return new ReadyEvents(queue, events);
    }

    /** One has happened. */
    public void raise(int type) {
        for (AsyncEvent event : events) {
            if (event.eventType() == type) {
                queue.add(event);
                return;
            }
        }
        throw new IllegalArgumentException("an event of type " + type);
    }

    /** The object is gone, and what of its events nobody has fetched. */
    public void drop() {
        if (events.length > 0) {
            queue.removeIf(e -> e.element() == events[0].element());
        }
        queue.reserve(-events.length);
    }
}
