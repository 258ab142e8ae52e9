/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextOps;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.core.flight.FlightRecording;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * The library's part of the verbs about events: counts those that it hands out, and checks their acknowledgements.
 *
 * <p>The library holds nothing while the provider waits: a channel or context can be closed meanwhile, which wakes the
 * waiting threads.
 */
final class EventVerbs {
    private static final long FOR_EVER = -1;
    private static final Set<Kind> WITH_ASYNC_EVENTS = EnumSet.of(Kind.QP, Kind.CQ, Kind.SRQ, Kind.WQ);

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    EventVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    CompletionQueue getCqEvent(CompletionChannel channel, long timeoutNanos) {
        String verb = "get_cq_event";
        ObjectState source = handles.find(verb, "channel", channel);
        return await(verb, source, timeoutNanos, (p, nanos) -> p.getCqEvent(channel, nanos), cq -> {
            ObjectState state = recordOf(verb, cq);
            if (state.kind() != Kind.CQ || cq.channel() != channel) {
                throw side.broken(verb, "reported an event of an object that does not belong to the channel");
            }
            return state.deliverCompletion();
        });
    }

    void ackCqEvents(CompletionQueue cq, int count) {
        String verb = "ack_cq_events";
        ObjectState state = handles.find(verb, "cq", cq);
        Arguments.atLeast(verb, "count", count, 1);
        state.acknowledge(verb, count, () -> side.run(verb, p -> p.ackCqEvents(cq, count)));
    }

    AsyncEvent getAsyncEvent(long timeoutNanos) {
        String verb = "get_async_event";
        return await(verb, context, timeoutNanos, ContextOps::getAsyncEvent, event -> {
            ObjectState state = event.element() == null ? context : recordOf(verb, event.element());
            if (state != context && !WITH_ASYNC_EVENTS.contains(state.kind())) {
                throw side.broken(verb, "reported an event about a " + state.kind() + ", which has no events");
            }
            boolean delivered = state.deliver(event);
            if (delivered) {
                FlightRecording.delivered(event);
            }
            return delivered;
        });
    }

    void ackAsyncEvent(AsyncEvent event) {
        String verb = "ack_async_event";
        Arguments.notNull(verb, "event", event);
        ObjectState state = event.element() == null ? context : handles.find(verb, "event", event.element());
        state.acknowledge(verb, event, () -> side.run(verb, p -> p.ackAsyncEvent(event)));
    }

    int asyncEventDescriptor() {
        String verb = "get_async_event";
        context.enter(verb);
        try {
            return side.ops().asyncEventDescriptor();
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            context.leave();
        }
    }

    int compChannelDescriptor(CompletionChannel channel) {
        String verb = "get_cq_event";
        ObjectState state = handles.find(verb, "channel", channel);
        state.enter(verb);
        try {
            return side.ops().compChannelDescriptor(channel);
        } catch (Throwable t) {
            throw side.failed(verb, t);
        } finally {
            state.leave();
        }
    }

    private ObjectState recordOf(String verb, VerbsObject element) {
        ObjectState state = LibraryContext.Records.of(element);
        if (state == null || state.owner() != context.owner()) {
            throw side.broken(verb, "reported an event about an object that does not belong to this context");
        }
        return state;
    }

    /**
     * Waits for an event that can be handed out; drops events of objects that were closed meanwhile.
     *
     * @param deliver counts the event, and returns whether it can be handed out
     */
    private <T> T await(
            String verb,
            ObjectState source,
            long timeoutNanos,
            BiFunction<ContextOps, Long, T> get,
            Predicate<T> deliver) {
        Arguments.atLeast(verb, "timeoutNanos", timeoutNanos, FOR_EVER);
        long start = System.nanoTime();
        long remaining = timeoutNanos;
        while (true) {
            requireOpen(verb, source, null);
            requireNotInterrupted(verb, remaining);
            T event = get(verb, source, remaining, get);
            if (event == null) { // timed out or woken, which can happen to an endless wait too
                if (timeoutNanos == FOR_EVER) {
                    requireOpen(verb, source, null);
                }
                return null;
            }
            if (deliver.test(event)) {
                return event;
            }
            if (timeoutNanos != FOR_EVER) {
                remaining = Math.max(0, timeoutNanos - (System.nanoTime() - start));
            }
        }
    }

    private <T> T get(String verb, ObjectState source, long nanos, BiFunction<ContextOps, Long, T> get) {
        try {
            return side.call(verb, p -> get.apply(p, nanos));
        } catch (VerbsException e) {
            if (e.errno() == Errno.EINTR) {
                Thread.currentThread().interrupt(); // the contract of the verb, whatever the provider did
            } else {
                // Ignores what the provider throws if its channel was closed meanwhile.
                requireOpen(verb, source, e);
            }
            throw e;
        }
    }

    private static void requireOpen(String verb, ObjectState source, VerbsException cause) {
        if (!source.isOpen()) {
            throw new VerbsException(
                    Errno.EBADF, verb, source + " is closed; end the loop that waits for its events", cause);
        }
    }

    private static void requireNotInterrupted(String verb, long remaining) {
        if (remaining != 0 && Thread.currentThread().isInterrupted()) {
            throw new VerbsException(
                    Errno.EINTR, verb, "the thread is interrupted; clear its interrupt status to wait again");
        }
    }
}
