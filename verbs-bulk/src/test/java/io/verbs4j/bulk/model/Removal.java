/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.model;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Removes a model device: its verbs fail, like those of a device that was pulled out. Its queue pairs continue until
 * they are destroyed, because a device may still write to memory when it is reported as lost. Their completions stay
 * until something else is destroyed, because the peer was told that these messages have arrived.
 */
public final class Removal {
    /** The behavior of a lost device. */
    public enum Manner {
        /** An event reports the loss. */
        EVENT,
        /** An event reports the loss. Destroying an object works but reports a failure, as on Linux. */
        EVENT_AND_ERRORS,
        /** Nothing reports the loss: the queue pairs fail, and no verb works any more. */
        SILENT
    }

    private static final Set<String> ALWAYS = Set.of(
            "close", "getAsyncEvent", "ackAsyncEvent", "ackCqEvents", "asyncEventDescriptor", "compChannelDescriptor");
    private static final long SLICE = TimeUnit.MILLISECONDS.toNanos(20);

    private final ContextOps ops;
    private final Context context;
    private final Set<QueuePair> queuePairs = ConcurrentHashMap.newKeySet();
    private final Queue<QueuePair> ended = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<AsyncEvent> events = new LinkedBlockingQueue<>();
    private volatile Runnable beforeDestroying = () -> {};
    private volatile Manner manner;
    private volatile boolean closed;

    Removal(ContextOps ops, Context context) {
        this.ops = ops;
        this.context = context;
    }

    void made(QueuePair qp) {
        queuePairs.add(qp);
    }

    /** Destroys a queue pair; that of a removed device ends and leaves its completions. */
    void destroy(QueuePair qp) {
        if (manner == null) {
            ops.destroyQp(qp);
        } else {
            beforeDestroying.run();
            end(qp);
        }
        queuePairs.remove(qp);
    }

    private void end(QueuePair qp) {
        try {
            ops.modifyQp(qp, new QpAttr().qpState(QpState.ERR), QpAttrMask.STATE);
        } catch (VerbsException e) {
            ops.destroyQp(qp); // never used: nothing has completed
            return;
        }
        ended.add(qp);
    }

    /** Destroys ended queue pairs before an object that they may need. */
    void forgetEnded() {
        for (QueuePair qp = ended.poll(); qp != null; qp = ended.poll()) {
            ops.destroyQp(qp);
        }
    }

    /** Sets an action that runs before a queue pair of the removed device is destroyed. */
    public void beforeDestroying(Runnable action) {
        beforeDestroying = action;
    }

    void closed() {
        closed = true;
        forgetEnded();
    }

    /** Removes the device. */
    public void remove(Manner how) {
        manner = how;
        if (how == Manner.SILENT) {
            queuePairs.forEach(this::fail);
        } else {
            events.add(AsyncEvent.of(context, EventType.DEVICE_FATAL, 0));
        }
    }

    private void fail(QueuePair qp) {
        try {
            ops.modifyQp(qp, new QpAttr().qpState(QpState.ERR), QpAttrMask.STATE);
        } catch (VerbsException e) {
            if (queuePairs.contains(qp)) {
                throw e;
            }
        }
    }

    void abandon() {
        closed();
        ops.close();
    }

    /** How the device was removed, or null. */
    public Manner manner() {
        return manner;
    }

    /** Number of existing queue pairs. */
    public int queuePairs() {
        return queuePairs.size();
    }

    /** Fails a verb if the device is gone. */
    void check(String verb) {
        boolean destroys = destroys(verb);
        if (manner != null && !ALWAYS.contains(verb) && !destroys) {
            throw gone(verb);
        }
    }

    /** Fails after an object was destroyed, if the device does so. */
    void checkDestroyed(String verb) {
        if (manner == Manner.EVENT_AND_ERRORS && destroys(verb)) {
            throw gone(verb);
        }
    }

    /** Whether a verb destroys an object. */
    static boolean destroys(String verb) {
        return verb.startsWith("destroy") || verb.startsWith("dealloc") || verb.startsWith("dereg");
    }

    private static VerbsException gone(String verb) {
        return new VerbsException(Errno.EIO, verb, "the model is gone");
    }

    AsyncEvent event(long nanos) {
        long start = System.nanoTime();
        while (!closed) {
            AsyncEvent event = ops.getAsyncEvent(0);
            if (event == null) {
                event = await(nanos < 0 ? SLICE : Math.min(SLICE, nanos - (System.nanoTime() - start)));
            }
            if (event != null || nanos >= 0 && System.nanoTime() - start >= nanos) {
                return event;
            }
        }
        return null;
    }

    private AsyncEvent await(long nanos) {
        try {
            return events.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(Errno.EINTR, "get_async_event", "interrupted", e);
        }
    }
}
