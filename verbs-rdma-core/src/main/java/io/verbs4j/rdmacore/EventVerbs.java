/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.VerbsObject;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.event.EventSource;
import io.verbs4j.rdmacore.layout.AsyncEventLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.Scratch;
import io.verbs4j.rdmacore.object.EventTarget;
import io.verbs4j.rdmacore.object.NativeCompletionChannel;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Events of both kinds. The C library names an object by its address; which handle that is, is known here.
 *
 * <p>An event that was read about an object that is being destroyed, or is not known yet, is given back at once: the object
 * is there at that moment, since its destroy waits for this event.
 */
final class EventVerbs {
    private final Context context;
    private final long address;
    private final EventSource asyncEvents;
    private final Map<Long, EventTarget> targets = new ConcurrentHashMap<>();

    EventVerbs(Context context, long address, EventSource asyncEvents) {
        this.context = context;
        this.address = address;
        this.asyncEvents = asyncEvents;
    }

    void close() {
        asyncEvents.close();
    }

    /** Makes an object known, whose events may come from now on. */
    <T extends EventTarget> T known(T target) {
        targets.put(target.address(), target);
        return target;
    }

    /** Gives back the asynchronous events of an object that is about to be destroyed. */
    void end(EventTarget target, int typeOfItsKind) {
        for (int rest = target.asyncEvents().end(); rest > 0; rest--) {
            ackNative(target.address(), typeOfItsKind);
        }
    }

    /** An object was destroyed. Its address may stand for another already. */
    void forget(EventTarget target) {
        targets.remove(target.address(), target);
    }

    CompletionChannel createCompChannel() {
        long channel = Answers.checkPointer("create_comp_channel", Libibverbs.ibv_create_comp_channel(address));
        try {
            return new NativeCompletionChannel(context, channel);
        } catch (RuntimeException e) {
            Libibverbs.ibv_destroy_comp_channel(channel);
            throw e;
        }
    }

    void destroyCompChannel(CompletionChannel channel) {
        NativeCompletionChannel handle = (NativeCompletionChannel) channel;
        handle.events().close();
        Answers.check("destroy_comp_channel", Libibverbs.ibv_destroy_comp_channel(handle.address()));
    }

    CompletionQueue getCqEvent(CompletionChannel channel, long timeoutNanos) {
        NativeCompletionChannel handle = (NativeCompletionChannel) channel;
        return handle.events().await(timeoutNanos, () -> fetchCompletionEvent(handle));
    }

    private NativeCompletionQueue fetchCompletionEvent(NativeCompletionChannel channel) {
        try (Scratch out = new Scratch(2 * Long.BYTES)) {
            while (Libibverbs.ibv_get_cq_event(channel.address(), out.address(), out.address() + Long.BYTES) == 0) {
                long cq = NativeMemory.getLong(out.address());
                if (targets.get(cq) instanceof NativeCompletionQueue queue
                        && queue.completionEvents().fetched()) {
                    queue.eventFetched();
                    return queue;
                }
                Libibverbs.ibv_ack_cq_events(cq, 1);
            }
            requireNothingToRead("get_cq_event");
            return null;
        }
    }

    /** A read that has nothing to read is no failure. */
    private static void requireNothingToRead(String verb) {
        int errno = Answers.errno(-1);
        if (errno != Errno.EAGAIN && errno != Errno.EINTR) {
            throw Answers.failed(verb, errno);
        }
    }

    void ackCqEvents(CompletionQueue cq, int count) {
        NativeCompletionQueue queue = (NativeCompletionQueue) cq;
        queue.completionEvents().acked(count);
        Libibverbs.ibv_ack_cq_events(queue.address(), count);
    }

    /** Gives back the completion events of a queue that is about to be destroyed. */
    void endCompletions(NativeCompletionQueue queue) {
        int rest = queue.completionEvents().end();
        if (rest > 0) {
            Libibverbs.ibv_ack_cq_events(queue.address(), rest);
        }
    }

    AsyncEvent getAsyncEvent(long timeoutNanos) {
        return asyncEvents.await(timeoutNanos, this::fetchAsyncEvent);
    }

    private AsyncEvent fetchAsyncEvent() {
        try (Scratch out = new Scratch(AsyncEventLayout.SIZEOF)) {
            while (Libibverbs.ibv_get_async_event(address, out.address()) == 0) {
                int type = NativeMemory.getInt(out.address() + AsyncEventLayout.EVENT_TYPE);
                if (!isAboutObject(type)) {
                    int port = NativeMemory.getInt(out.address() + AsyncEventLayout.ELEMENT_PORT_NUM);
                    return AsyncEvent.of(context, type, type == EventType.DEVICE_FATAL ? 0 : port);
                }
                EventTarget target = targets.get(NativeMemory.getLong(out.address() + AsyncEventLayout.ELEMENT));
                if (type == EventType.CQ_ERR && target instanceof NativeCompletionQueue queue) {
                    queue.overrun();
                }
                if (target != null && target.asyncEvents().fetched()) {
                    return AsyncEvent.of(type, (VerbsObject) target);
                }
                Libibverbs.ibv_ack_async_event(out.address());
            }
            requireNothingToRead("get_async_event");
            return null;
        }
    }

    private static boolean isAboutObject(int type) {
        return switch (type) {
            case EventType.CQ_ERR,
                    EventType.QP_FATAL,
                    EventType.QP_REQ_ERR,
                    EventType.QP_ACCESS_ERR,
                    EventType.COMM_EST,
                    EventType.SQ_DRAINED,
                    EventType.PATH_MIG,
                    EventType.PATH_MIG_ERR,
                    EventType.SRQ_ERR,
                    EventType.SRQ_LIMIT_REACHED,
                    EventType.QP_LAST_WQE_REACHED -> true;
            default -> false;
        };
    }

    void ackAsyncEvent(AsyncEvent event) {
        if (event.element() instanceof EventTarget target) {
            target.asyncEvents().acked(1);
            ackNative(target.address(), event.eventType());
        }
    }

    private static void ackNative(long element, int type) {
        try (Scratch c = new Scratch(AsyncEventLayout.SIZEOF)) {
            NativeMemory.putLong(c.address() + AsyncEventLayout.ELEMENT, element);
            NativeMemory.putInt(c.address() + AsyncEventLayout.EVENT_TYPE, type);
            Libibverbs.ibv_ack_async_event(c.address());
        }
    }
}
