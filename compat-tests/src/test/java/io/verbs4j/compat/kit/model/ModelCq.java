/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.compat.kit.Capability;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The model's completion queue; programs hold a {@link Handle}. */
final class ModelCq {
    /** Stands for every queue pair in place of a number. */
    static final int ALL = -1;

    private static final long PATIENCE_NANOS = 60_000_000;
    private static final int WAIT_MILLIS = 10;

    final Handle handle;
    private final ModelOps ops;
    private final ModelEvents events;
    private final Deque<WorkCompletion> entries = new ArrayDeque<>();
    private boolean closed;
    private boolean overrun;
    private boolean armed;
    private boolean solicitedOnly;
    private boolean everArmed;
    private boolean delayed;
    private int unacknowledged;

    /** The number of completions so far, and of those that were waited for. */
    int had;

    int awaited;
    private final Rings rings;
    private final boolean oneThread;

    /** The thread that has the queue to itself. */
    Thread reader;

    /** The handle has only methods of the header; anything else that the model needs is in {@link ModelCq}. */
    static class Handle extends CompletionQueue {
        final ModelCq model;

        Handle(ModelCq model, int cqe, Object userContext, ModelChannel channel, long wcFlags) {
            super(model.ops.context(), cqe, userContext, channel, wcFlags);
            this.model = model;
        }

        @Override
        public int poll(int numEntries, WorkCompletion[] wc) {
            synchronized (Fabric.LOCK) {
                for (int i = 0; i < numEntries && wc != null && i < wc.length && !Fault.KEEPS_STALE.on(); i++) {
                    if (wc[i] != null) {
                        wc[i].expect(0);
                    }
                }
                return model.poll(numEntries, wc, 0);
            }
        }

        @Override
        public int reqNotify(boolean solicitedOnly) {
            return model.reqNotify(solicitedOnly);
        }

        private void resized(int cqe) {
            updateCqe(cqe);
        }
    }

    ModelCq(ModelOps ops, int cqe, Object userContext, ModelChannel channel) {
        this.ops = ops;
        events = channel == null ? null : channel.state;
        handle = new Handle(this, cqe, userContext, channel, 0);
        rings = null;
        oneThread = false;
    }

    /** Creates an extended queue. */
    ModelCq(ModelOps ops, CqInitAttrEx attr) {
        this.ops = ops;
        ModelChannel channel = (ModelChannel) attr.channel();
        events = channel == null ? null : channel.state;
        rings = Rings.of("create_cq_ex", attr.parentDomain(), Rings.CQ);
        oneThread = (attr.flags() & CqCreateFlags.SINGLE_THREADED) != 0 && !Fault.READS_BY_THREAD.on();
        int cqe = attr.cqe() - (Fault.FEWER_ENTRIES.on() ? 1 : 0);
        handle = new ModelCqEx(this, cqe, attr.userContext(), channel, attr.wcFlags());
    }

    static ModelCq of(CompletionQueue cq) {
        return cq == null ? null : ((Handle) cq).model;
    }

    void add(WorkCompletion wc, boolean solicited) {
        had++;
        if (entries.size() >= handle.cqe()) {
            if (!overrun && !Fault.SILENT_OVERRUN.on() && Traits.has(Capability.ASYNC_EVENTS)) {
                overrun = true;
                ops.event(AsyncEvent.of(EventType.CQ_ERR, handle));
                List.copyOf(Fabric.QPS.values()).forEach(qp -> qp.lost(this));
            }
            return;
        }
        if (wc.status() == WcStatus.SUCCESS || Fault.FAILED_HAVE_TIME.on()) {
            wc.completionTs(Fault.TIME_GOES_BACK.on() ? Fabric.CLOCK_MASK - Fabric.now() : Fabric.now());
        }
        entries.add(wc);
        ModelQp qp = Fabric.QPS.get(wc.qpNum());
        if (Fault.SRD_NO_EVENT.on() && qp != null && ModelSrd.is(qp)) {
            return;
        }
        boolean wanted = armed && (!solicitedOnly || solicited || Fault.ALL_SOLICITED.on());
        if (wanted && Fault.EVENT_LATE.on() && !solicitedOnly && !delayed) {
            delayed = true;
            return;
        }
        if ((wanted || Fault.EVENT_UNASKED.on() && !everArmed) && events != null) {
            armed = Fault.STAYS_ARMED.on() && !solicitedOnly;
            events.add(handle);
        }
    }

    int poll(int numEntries, WorkCompletion[] wc, long wcFlags) {
        synchronized (Fabric.LOCK) {
            if (!awaitReader()) {
                return Fault.BUSY_IS_EMPTY.on() ? 0 : -Errno.EBUSY;
            }
            Fabric.looked();
            if (closed) {
                return Fault.POLLS_CLOSED.on() ? 0 : -Errno.EINVAL;
            }
            if (wc == null || numEntries < 0 || numEntries > wc.length) {
                return -Errno.EINVAL;
            }
            int n = 0;
            while (n < numEntries && !entries.isEmpty()) {
                boolean last = Fault.POLLS_BACKWARDS.on() && numEntries > 1;
                WorkCompletion from = last ? entries.pollLast() : entries.poll();
                copy(from, wc[n]);
                if ((wcFlags & WcExFlags.COMPLETION_TIMESTAMP) != 0 && from.compMask() != 0) {
                    wc[n].completionTs(from.completionTs());
                }
                if ((wcFlags & WcExFlags.FLOW_TAG) != 0) {
                    wc[n].flowTag(from.flowTag());
                }
                if ((wcFlags & WcExFlags.TM_INFO) != 0) {
                    wc[n].tmTag(from.tmTag()).tmPriv(from.tmPriv());
                }
                if ((wcFlags & WcExFlags.CVLAN) != 0) {
                    wc[n].cvlan(from.cvlan());
                }
                n++;
            }
            return n == 0 && overrun && numEntries > 0 ? -Errno.EOVERFLOW : n;
        }
    }

    /** Whether the calling thread has started to read. */
    boolean isRead() {
        return reader != null && (oneThread || reader == Thread.currentThread());
    }

    /** Waits until another thread has finished reading; returns false if that takes too long. */
    private boolean awaitReader() {
        long end = System.nanoTime() + PATIENCE_NANOS;
        boolean interrupted = false;
        while (reader != null && !isRead() && !closed && !Fault.POLLS_INSIDE.on()) {
            if (System.nanoTime() - end > 0 && !Fault.WAITS_FOR_READER.on()) {
                break;
            }
            try {
                Fabric.LOCK.wait(WAIT_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return reader == null || isRead() || closed || Fault.POLLS_INSIDE.on();
    }

    /** Gives the calling thread the queue to itself if it returns 0. */
    int begin() {
        if (!awaitReader()) {
            return Errno.EBUSY;
        }
        Fabric.looked();
        if (closed) {
            return Errno.EINVAL;
        }
        if (entries.isEmpty()) {
            return overrun ? Errno.EOVERFLOW : Errno.ENOENT;
        }
        reader = Thread.currentThread();
        return 0;
    }

    /** {@return the next completion; null if there is none} */
    WorkCompletion take() {
        return entries.poll();
    }

    private static void copy(WorkCompletion from, WorkCompletion to) {
        to.wrId(from.wrId()).status(from.status()).opcode(from.opcode()).byteLen(from.byteLen());
        to.immData(from.immData()).qpNum(from.qpNum()).srcQp(from.srcQp()).wcFlags(from.wcFlags());
    }

    private int reqNotify(boolean onlySolicited) {
        synchronized (Fabric.LOCK) {
            if (closed) {
                return Errno.EINVAL;
            }
            if (!Traits.has(Capability.COMPLETION_EVENTS)) {
                return Errno.EOPNOTSUPP;
            }
            armed = true;
            everArmed = true;
            delayed = false;
            solicitedOnly = onlySolicited;
            return 0;
        }
    }

    void resizeTo(int cqe) {
        if (cqe < entries.size()) {
            throw new VerbsException(Errno.EINVAL, "resize_cq", "it holds more completions than that");
        }
        if (Fault.RESIZE_LOSES.on()) {
            entries.clear();
        }
        handle.resized(cqe);
    }

    void drop(int qpNum) {
        if (!Fault.KEEPS_COMPLETIONS.on()) {
            entries.removeIf(wc -> wc.qpNum() == qpNum || qpNum == ALL);
        }
    }

    /** Changes the number of events that the program has not acknowledged yet. */
    void handedOut(int more) {
        unacknowledged += more;
        Fabric.LOCK.notifyAll();
    }

    void destroy() {
        if (Fault.CQ_WAITS_FOR_ACK.on()) {
            Waiting.untilAcknowledged(() -> unacknowledged == 0);
        }
        closed = true;
        Rings.free(rings);
        if (events != null) {
            events.events.removeIf(cq -> cq == handle);
        }
    }
}
