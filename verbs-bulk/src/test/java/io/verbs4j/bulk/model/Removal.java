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
 * How a model device goes away: its verbs fail, as those of a device that was pulled out. Its queue pairs go on until
 * they are destroyed, as a device may still be writing to memory when it is told to be lost. Their completions stay
 * until something else is destroyed: the peer was told that these messages have come.
 */
public final class Removal {
    /** What a device does when it is lost. */
    public enum Manner {
        /** An event tells. */
        EVENT,
        /** An event tells, and what is destroyed is gone, but says that it could not be, as Linux does. */
        EVENT_AND_ERRORS,
        /** Nothing tells: the queue pairs fail, and no verb works any more. */
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

    /** Destroys a queue pair; that of a removed device ends, and leaves its completions. */
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

    /** Something that queue pairs may need is to be destroyed. */
    void forgetEnded() {
        for (QueuePair qp = ended.poll(); qp != null; qp = ended.poll()) {
            ops.destroyQp(qp);
        }
    }

    /** Sets what happens before a queue pair of the removed device is destroyed. */
    public void beforeDestroying(Runnable action) {
        beforeDestroying = action;
    }

    void closed() {
        closed = true;
        forgetEnded();
    }

    /** Takes the device away. */
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

    /** Queue pairs that are there. */
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

    /** Something was destroyed. */
    void checkDestroyed(String verb) {
        if (manner == Manner.EVENT_AND_ERRORS && destroys(verb)) {
            throw gone(verb);
        }
    }

    /** Whether a verb destroys something. */
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
