/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.CompCntrOps;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpStateTable;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.provider.rxe.memory.BoundWindows;
import io.verbs4j.provider.rxe.queue.ReadyEvents;
import io.verbs4j.provider.rxe.queue.RecvQueue;
import io.verbs4j.provider.rxe.queue.RecvWqe;
import io.verbs4j.provider.rxe.queue.RingMemory;
import io.verbs4j.provider.rxe.queue.RxeCq;
import io.verbs4j.provider.rxe.queue.RxeSharedReceiveQueue;
import io.verbs4j.provider.rxe.queue.RxeSrq;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.provider.rxe.queue.TaggedMessage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * A queue pair of the embedded device: what it receives, its changes of state and its end. {@link QpSending} sends;
 * {@link QpProperties} has what never changes.
 *
 * <p>There are two locks: the send lock guards the send queue and its path, the receive lock the message that is being
 * received. The order is: the send lock, then a receive lock (its own or another queue pair's), then a completion
 * queue's. A thread that holds a receive lock never takes a send lock; the port's worker thread does what needs one.
 */
public class RxeQp extends QpSending implements Inbox {
    /** Maximum message length in bytes. */
    public static final long MAX_MESSAGE = 1L << 31;

    private static final AtomicReferenceFieldUpdater<RxeQp, SendPath> FAILED =
            AtomicReferenceFieldUpdater.newUpdater(RxeQp.class, SendPath.class, "failed");

    /** Guards the receiving side. */
    public final Object recvLock = new Object();

    private final ReceiveSide receives;

    private final ReadyEvents events;

    private volatile boolean communicating;
    private volatile boolean errorWanted;

    /** The path that {@link #failSoon} was called for; null if none, or if it has been handled. */
    private volatile SendPath failed;

    /** The cross-channel state, or null if the queue pair has none. */
    private final CrossChannel cross;

    private boolean draining;

    // Link and membership of a KickList; guarded by that list.
    RxeQp nextKicked;
    boolean isKicked;

    /** Creates a queue pair in state RESET; {@code events} is null if events are delivered in another way. */
    public RxeQp(QpInitAttrEx attr, int qpNum, QpHost host, ReadyEvents events) {
        this(attr, qpNum, host, events, inlineMemory(null, attr));
    }

    /** Creates a queue pair with the given memory for the inline data of the send queue. */
    public RxeQp(QpInitAttrEx attr, int qpNum, QpHost host, ReadyEvents events, RingMemory inlineMemory) {
        super(attr, qpNum, host, inlineMemory);
        this.events = events;
        RxeSrq shared = attr.srq() == null ? null : ((RxeSharedReceiveQueue) attr.srq()).srq;
        QpCap c = attr.cap();
        RecvQueue own = shared == null && !isXrc() ? new RecvQueue(c.maxRecvWr(), c.maxRecvSge()) : null;
        this.receives = new ReceiveSide(this, recvCq, own, shared, sendsItself);
        this.cross = CrossChannel.of(this, host, attr, sq, own);
    }

    /** Returns whether it completes work requests to this queue. */
    public final boolean completesTo(RxeCq cq) {
        return sendCq == cq || recvCq == cq || receives.completesTo(cq);
    }

    /** {@return the cross-channel state, or null} */
    @Override
    CrossChannel crossChannel() {
        return cross;
    }

    // ---- receiving

    /** Implements {@link io.verbs4j.QueuePair#postRecv(RecvWorkRequest, RecvWorkRequest[])}. */
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return receives.post(wr, badWr);
    }

    /** Returns the destination of messages: this queue pair, except with XRC. */
    public Inbox newInbox() {
        return this;
    }

    @Override
    public final boolean select(int srqNum) {
        return true;
    }

    @Override
    public final BoundWindows windows() {
        return windows;
    }

    @Override
    public final int accessFlags() {
        return settings.accessFlags;
    }

    @Override
    public final int mtu() {
        return settings.mtu();
    }

    /** Completes a receive. Always returns true: a lost completion is reported to the queue pair in another way. */
    @Override
    public final boolean completeReceive(
            RecvWqe wqe, int status, int opcode, int byteLen, int wcFlags, int immData, int srcQp, boolean solicited) {
        receives.complete(wqe, status, opcode, byteLen, wcFlags, immData, srcQp, solicited);
        return true;
    }

    @Override
    public final void taken(int op, long bytes) {
        if (counters != null) {
            counters.count(op, WcStatus.SUCCESS, (int) bytes);
        }
    }

    /** Counts a completed receive. */
    void received(int status, int byteLen) {
        if (counters != null) {
            counters.count(CompCntrOps.RECV, status, byteLen);
        }
    }

    @Override
    public final TaggedMessage newTaggedMessage() {
        return receives.newTaggedMessage();
    }

    @Override
    public final boolean takeReceive(RecvWqe into) {
        return receives.take(into);
    }

    /** Takes the next receive work request if {@code bytes} fit into it; returns a constant of {@link RecvQueue}. */
    public final int takeReceive(RecvWqe into, long bytes) {
        return receives.take(into, bytes);
    }

    @Override
    public final RecvWqe newRecvWqe() {
        return receives.newWqe();
    }

    /** {@return the element for receiving datagrams, always the same} The caller holds the receive lock. */
    public RecvWqe datagramWqe() {
        return receives.datagram();
    }

    // ---- state

    /** Moves the queue pair to ERR and flushes both queues. The caller holds the send lock. */
    @Override
    public void enterError() {
        boolean first = state != QpState.ERR;
        state = QpState.ERR;
        try {
            stopPath();
        } finally {
            flushSends();
            synchronized (recvLock) {
                receives.flush();
                if (sendsItself) {
                    receives.rendezvous.flush();
                }
            }
        }
        if (first && receives.isShared()) {
            raise(EventType.QP_LAST_WQE_REACHED);
        }
    }

    /**
     * Moves the queue pair to ERR after an error on the receiving side; the worker thread does so soon and flushes the
     * queues. May be called with a receive lock held, this queue pair's or another's.
     */
    public void enterErrorSoon() {
        errorWanted = true;
        host.kick(this);
    }

    /**
     * Moves the queue pair to ERR soon and raises an event, for an error that no completion can report. May be called
     * with any lock or none. Has no effect if the queue pair has another path by the time the worker thread handles it.
     *
     * @param of the path that failed
     */
    @Override
    public void failSoon(SendPath of) {
        SendPath before;
        do {
            before = failed;
            if (before != null && before == path) {
                return; // already pending; an older path would replace it
            }
        } while (!FAILED.compareAndSet(this, before, of));
        host.kick(this);
    }

    private void seeToFailure() {
        SendPath of = failed;
        if (of != null && FAILED.compareAndSet(this, of, null) && of == path && state != QpState.ERR) {
            raise(EventType.QP_FATAL);
            enterError();
        }
    }

    /** Moves the queue pair to ERR with an event, if it is in use, because a thread that it needs has died. */
    public void fail() {
        try {
            synchronized (sendLock) {
                if (!closed && state >= QpState.RTR && state <= QpState.SQE) {
                    raise(EventType.QP_FATAL);
                    enterError();
                }
            }
        } catch (Throwable e) { // other queue pairs must be notified too
            enterErrorSoon();
        }
    }

    /** Makes the worker thread call {@link SendPath#flush()} soon. */
    @Override
    public void serviceSoon() {
        host.kick(this);
    }

    /**
     * Does the worker thread's part for this queue pair, after a kick or a deadline.
     *
     * @param now current time
     * @param seen see {@link SendPath#onTimer}
     */
    public void service(long now, long seen) {
        synchronized (sendLock) {
            if (closed) {
                return;
            }
            if (errorWanted) {
                errorWanted = false;
                if (state != QpState.RESET && state != QpState.INIT) {
                    enterError();
                }
            }
            seeToFailure();
            if (now - deadline >= 0) {
                deadline = Long.MAX_VALUE;
                if (path != null && state >= QpState.RTR && state <= QpState.SQE) {
                    path.onTimer(now, seen);
                }
            }
            if (sendsItself && state == QpState.RTS && readMore()) {
                runOrFlush();
            }
            if (cross != null && cross.goesOn(sq) && state == QpState.RTS) {
                path.run();
            }
            if (path != null && (state == QpState.RTS || state == QpState.SQD)) {
                path.flush();
            }
        }
    }

    /** Posts reads for rendezvous requests; returns false if there are none. */
    private boolean readMore() {
        if (settings.maxRdAtomic() == 0) {
            receives.rendezvous.giveUp(keys(), pd);
            return false;
        }
        return receives.rendezvous.post();
    }

    @Override
    final void completeOwn(SendWqe wqe, int status) {
        receives.rendezvous.completed(wqe, status);
        if (receives.rendezvous.isWaiting()) {
            host.kick(this);
        }
    }

    /** Notes the first message from the peer; in state RTR this raises an event, once. */
    public void noteCommunication() {
        if (!communicating) {
            communicating = true;
            if (state == QpState.RTR) {
                raise(EventType.COMM_EST);
            }
            host.communicating(qpNum);
        }
    }

    /** Raises an asynchronous event about this queue pair. */
    public void raise(int eventType) {
        if (!closed) {
            events.raise(eventType);
        }
    }

    /** Changes attributes and state. The library has checked that the transition exists. */
    public void modify(QpAttr attr, int mask) {
        synchronized (sendLock) {
            int target = (mask & QpAttrMask.STATE) != 0 ? attr.qpState() : state;
            // Checked again, because the queue pair may have entered an error state since the library checked.
            String wrong = QpStateTable.check(qpType, state, target, mask);
            if (wrong != null) {
                throw new VerbsException(Errno.EINVAL, "modify_qp", wrong);
            }
            synchronized (recvLock) {
                if (target != QpState.RESET) {
                    settings.apply(attr, mask);
                }
            }
            if (target != state || (mask & QpAttrMask.STATE) != 0) {
                enter(target);
            }
        }
    }

    private void enter(int target) {
        switch (target) {
            case QpState.RESET -> reset();
            case QpState.RTR -> {
                path = host.newPath(this);
                state = QpState.RTR;
            }
            case QpState.RTS -> {
                int before = state;
                state = QpState.RTS;
                draining = false;
                if (sendsItself) {
                    readMore();
                }
                try {
                    path.run();
                } catch (OutOfMemoryError e) {
                    state = before; // what was not sent is still queued
                    throw e;
                }
            }
            case QpState.SQD -> {
                state = QpState.SQD;
                draining = true;
                path.flush();
                drainedPerhaps();
            }
            case QpState.ERR -> enterError();
            default -> state = target;
        }
    }

    /**
     * Raises SQ_DRAINED if the queue pair is draining and nothing is in progress. A path calls this whenever its last
     * request in progress has ended.
     */
    public void drainedPerhaps() {
        boolean begun = !sq.isEmpty() && sq.at(sq.done()).started;
        if (draining && state == QpState.SQD && sq.next() == sq.done() && !begun) {
            draining = false;
            if (settings.wantsSqDrained()) {
                raise(EventType.SQ_DRAINED);
            }
        }
    }

    private void reset() {
        state = QpState.RESET;
        communicating = false;
        draining = false;
        limit = null;
        stopPath();
        path = null;
        sq.clear();
        if (cross != null) {
            cross.reset();
        }
        synchronized (recvLock) {
            receives.clear();
            if (sendsItself) {
                receives.rendezvous.clear();
            }
            errorWanted = false; // here: until now, a message that was being received may have found an error
        }
        windows.free();
        purgeCompletions();
    }

    private void purgeCompletions() {
        if (sendCq != null) {
            sendCq.purge(sq);
        }
        if (recvCq != null) {
            recvCq.purge(this);
        }
    }

    /** {@return whether requests from the peer are accepted} */
    public boolean isReceiving() {
        int s = state;
        return s >= QpState.RTR && s <= QpState.SQE && !closed && !errorWanted && failed == null;
    }

    // ---- counters

    /** Attaches a completion counter, for {@link CompCntrOps} bits. */
    public void attachCounter(RxeCompletionCounter handle, int ops) {
        synchronized (sendLock) {
            synchronized (recvLock) {
                if (closed || state != QpState.RESET && state != QpState.INIT) {
                    throw new VerbsException(
                            Errno.EINVAL,
                            "qp_attach_comp_cntr",
                            "the queue pair is in state " + QpState.toString(state) + "; it must be in RESET or INIT");
                }
                QpCounters attached = counters == null ? new QpCounters() : counters;
                attached.attach(handle.counter, ops);
                counters = attached;
            }
        }
    }

    // ---- the end

    /** Ends the queue pair. When this returns, nothing touches memory on its behalf. */
    public void destroy() {
        synchronized (sendLock) {
            closed = true;
            reset();
        }
        dropEvents();
    }

    /** Drops the events that were not fetched. */
    protected void dropEvents() {
        events.drop();
    }

    /** Reports the attributes that the handle does not know itself. */
    public void tell(QpAttr attr, QpInitAttr init) {
        synchronized (sendLock) {
            init.sqSigAll(sigAll);
            init.cap()
                    .maxSendWr(cap.maxSendWr())
                    .maxRecvWr(cap.maxRecvWr())
                    .maxSendSge(cap.maxSendSge())
                    .maxRecvSge(cap.maxRecvSge())
                    .maxInlineData(cap.maxInlineData());
            settings.tell(attr, init);
            attr.qpState(state)
                    .curQpState(state)
                    .sqDraining(draining)
                    .sqPsn(path == null ? settings.firstSqPsn : path.sqPsn())
                    .rqPsn(path == null ? settings.firstRqPsn : path.rqPsn());
        }
    }
}
