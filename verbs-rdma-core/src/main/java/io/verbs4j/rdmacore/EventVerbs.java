/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.VerbsObject;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.event.EventSource;
import io.verbs4j.rdmacore.layout.AsyncEventLayout;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.NativeCompletionChannel;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeWorkQueue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Implements asynchronous events and completion events. The C library identifies an object by its address, which this
 * class maps to the handle.
 *
 * <p>The destroy calls of libibverbs wait until all events read for the object are acknowledged. Each event is
 * therefore acknowledged right after it was read, whatever the program does with it; until then the object exists,
 * because its destroy waits.
 */
final class EventVerbs {
    private final Context context;
    private final long address;
    private final EventSource asyncEvents;
    private final Ports ports;
    private final Map<Long, VerbsObject> handles = new ConcurrentHashMap<>();

    /** Maps the port numbers in events. */
    interface Ports {
        /** {@return the number by which the verbs know a port, from 1} */
        int of(int eventType, int port);
    }

    EventVerbs(Context context, long address, EventSource asyncEvents, Ports ports) {
        this.context = context;
        this.address = address;
        this.asyncEvents = asyncEvents;
        this.ports = ports;
    }

    void close() {
        asyncEvents.close();
    }

    /** Registers an object for events, which may arrive from now on. */
    <T extends VerbsObject> T known(IbvObject ibv, T handle) {
        handles.put(ibv.address(), handle);
        return handle;
    }

    /** Removes a destroyed object, unless its address already stands for another one. */
    void forget(IbvObject ibv, VerbsObject handle) {
        handles.remove(ibv.address(), handle);
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
        handle.events.close();
        Answers.check("destroy_comp_channel", Libibverbs.ibv_destroy_comp_channel(handle.ibv.address()));
    }

    CompletionQueue getCqEvent(CompletionChannel channel, long timeoutNanos) {
        NativeCompletionChannel handle = (NativeCompletionChannel) channel;
        return handle.events.await(timeoutNanos, () -> fetchCompletionEvent(handle));
    }

    private NativeCompletionQueue fetchCompletionEvent(NativeCompletionChannel channel) {
        try (Scratch out = new Scratch(2 * Long.BYTES)) {
            while (Libibverbs.ibv_get_cq_event(channel.ibv.address(), out.address(), out.address() + Long.BYTES) == 0) {
                long cq = NativeMemory.getLong(out.address());
                VerbsObject handle = handles.get(cq);
                if (handle instanceof NativeCompletionQueue queue) {
                    queue.ibv.eventFetched();
                }
                Libibverbs.ibv_ack_cq_events(cq, 1);
                if (handle instanceof NativeCompletionQueue queue) {
                    return queue;
                }
            }
            requireNothingToRead("get_cq_event");
            return null;
        }
    }

    /** Throws unless the read failed only because there was nothing to read. */
    private static void requireNothingToRead(String verb) {
        int errno = Answers.errno(-1);
        if (errno != Errno.EAGAIN && errno != Errno.EINTR) {
            throw Answers.failed(verb, errno);
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
                    return AsyncEvent.of(context, type, type == EventType.DEVICE_FATAL ? 0 : ports.of(type, port));
                }
                VerbsObject element = handles.get(NativeMemory.getLong(out.address() + AsyncEventLayout.ELEMENT));
                if (type == EventType.CQ_ERR && element instanceof NativeCompletionQueue queue) {
                    queue.ibv.overrun();
                }
                Libibverbs.ibv_ack_async_event(out.address());
                if (isFailure(type) && element instanceof NativeQueuePair qp) {
                    tellFailure(qp.ibv, type);
                }
                if (type == EventType.WQ_FATAL && element instanceof NativeWorkQueue wq) {
                    wq.ibv.failed();
                }
                if (element != null) {
                    return AsyncEvent.of(type, element);
                }
            }
            requireNothingToRead("get_async_event");
            return null;
        }
    }

    /**
     * Reports a failure to the queue pair. Runs after the acknowledgement, which destroying the queue pair awaits with
     * its locks held. The pin keeps the queue pair from being destroyed meanwhile.
     */
    private static void tellFailure(IbvQp qp, int type) {
        if (qp.pin().enter()) {
            try {
                qp.failed(type);
            } finally {
                qp.pin().leave();
            }
        }
    }

    private static boolean isFailure(int type) {
        return type == EventType.QP_FATAL || type == EventType.QP_REQ_ERR || type == EventType.QP_ACCESS_ERR;
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
                    EventType.QP_LAST_WQE_REACHED,
                    EventType.WQ_FATAL -> true;
            default -> false;
        };
    }
}
