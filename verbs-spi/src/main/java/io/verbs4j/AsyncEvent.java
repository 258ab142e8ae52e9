/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;

/**
 * An asynchronous event: a change or an error of a queue pair, a queue, a port or the device.
 *
 * <p>Immutable. Source: {@code ibv_get_async_event(3)}.
 */
public final class AsyncEvent {
    private final Context context;
    private final int eventType;
    private final VerbsObject element;
    private final int portNum;

    private AsyncEvent(Context context, int eventType, VerbsObject element, int portNum) {
        this.context = context;
        this.eventType = eventType;
        this.element = element;
        this.portNum = portNum;
    }

    /**
     * Creates an event about an object; for providers.
     *
     * @param eventType an {@link EventType} value
     * @param element the queue pair, completion queue, shared receive queue or work queue
     * @return a new event
     */
    public static AsyncEvent of(int eventType, VerbsObject element) {
        return new AsyncEvent(element.context(), eventType, element, 0);
    }

    /**
     * Creates an event about a port or the device; for providers.
     *
     * @param context context that the event belongs to
     * @param eventType an {@link EventType} value
     * @param portNum port number, from 1; 0 for the device
     * @return a new event
     */
    public static AsyncEvent of(Context context, int eventType, int portNum) {
        return new AsyncEvent(Objects.requireNonNull(context, "context"), eventType, null, portNum);
    }

    /** {@return the context that the event belongs to} */
    public Context context() {
        return context;
    }

    /** {@return what happened, an {@link EventType} value} */
    public int eventType() {
        return eventType;
    }

    /**
     * {@return the object that the event is about: a {@link QueuePair}, {@link CompletionQueue}, {@link
     * SharedReceiveQueue} or {@link WorkQueue}; null for a port or the device}
     */
    public VerbsObject element() {
        return element;
    }

    /** {@return the number of the port that the event is about, from 1; 0 if it is not about a port} */
    public int portNum() {
        return portNum;
    }

    /**
     * Acknowledges the event, once. Nothing waits for this: the method serves programs written for C's rule. Does
     * nothing if the object that the event is about is closed. Source: {@code ibv_ack_async_event(3)}.
     *
     * @throws VerbsException {@link Errno#EINVAL} if it was acknowledged before
     */
    public void ack() {
        context.libraryOps().ackAsyncEvent(this);
    }

    @Override
    public String toString() {
        String what = EventType.toString(eventType);
        if (element instanceof QueuePair qp) {
            return what + " on queue pair " + qp.qpNum();
        }
        return portNum == 0 ? what : what + " on port " + portNum;
    }
}
