/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.clock.RateLimit;
import io.verbs4j.provider.rxe.memory.BoundWindows;
import io.verbs4j.provider.rxe.memory.Domains;
import io.verbs4j.provider.rxe.memory.RxeMemoryRegion;
import io.verbs4j.provider.rxe.memory.RxeMemoryWindow;
import io.verbs4j.provider.rxe.memory.RxeMr;
import io.verbs4j.provider.rxe.queue.BadWr;
import io.verbs4j.provider.rxe.queue.CrossRequest;
import io.verbs4j.provider.rxe.queue.Rendezvous;
import io.verbs4j.provider.rxe.queue.RingMemory;
import io.verbs4j.provider.rxe.queue.SendQueue;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.provider.rxe.queue.TagList;

/**
 * The sending side of a queue pair: its state and its send queue, the posting of requests and their completion. A
 * {@link SendPath} carries out the send queue. {@link ReceiveSide} is its counterpart.
 *
 * <p>A superclass of {@link RxeQp}, not an object that it has: a request then reaches the queue without an
 * object between. Except for posting and for volatile fields, used with the send lock held.
 */
public abstract class QpSending extends QpProperties {
    /** Guards the send queue and the path. */
    public final Object sendLock = new Object();

    final SendQueue sq;

    final QpSettings settings = new QpSettings();
    final BoundWindows windows = new BoundWindows();
    private final SendChecks checks;
    private final BuiltSends built;

    volatile int state = QpState.RESET;
    volatile boolean closed;

    volatile SendPath path;

    volatile long deadline = Long.MAX_VALUE;

    /** Completion counters; null if there are none. Written with both locks held, read with either. */
    QpCounters counters;

    /** Number of send requests that failed or were flushed. Guarded by the send lock. */
    private long failedSends;

    /** The rate limit; null if there is none. Guarded by the send lock. */
    RateLimit limit;

    /** Creates the send queue with the given memory for its inline data. */
    QpSending(QpInitAttrEx attr, int qpNum, QpHost host, RingMemory inlineMemory) {
        super(attr, qpNum, host);
        QpCap c = attr.cap();
        this.sq = sendsItself
                ? new SendQueue(Rendezvous.SENDS, TagList.MAX_SGE, Rendezvous.INLINE, inlineMemory)
                : new SendQueue(c.maxSendWr(), c.maxSendSge(), c.maxInlineData(), inlineMemory);
        this.checks = new SendChecks(this);
        this.built = new BuiltSends(this, sq, checks);
    }

    // ---- posting

    /** Implements {@link io.verbs4j.QueuePair#postSend(SendWorkRequest, SendWorkRequest[])}. */
    public int postSend(SendWorkRequest first, SendWorkRequest[] badWr) {
        if (first == null) {
            return Errno.EINVAL;
        }
        synchronized (sendLock) {
            int error = 0;
            long before = sq.posted();
            SendWorkRequest wr = first;
            try {
                if (sq.isEmpty() && !closed && state == QpState.RTS && !sq.isManaged() && hasRoom(1)) {
                    wr = path.sendNow(first, sq.room());
                }
                for (; wr != null; wr = wr.next()) {
                    error = take(wr);
                    if (error != 0) {
                        break;
                    }
                }
            } catch (Throwable e) { // the failing request is not in the queue yet
                error = BadWr.errno(e);
                for (long i = wr == first ? sq.posted() - before : 0; i > 0; i--) {
                    wr = wr.next();
                }
            }
            if (error != 0) {
                BadWr.tell(wr, badWr, error);
            }
            if (!sq.isEmpty() && wr != first) {
                runOrFlush();
            }
            return error;
        }
    }

    private int take(SendWorkRequest wr) {
        if (closed || state < QpState.RTS) {
            return Errno.EINVAL;
        }
        if (!hasRoom(1)) {
            return Errno.ENOMEM;
        }
        SendWqe wqe = sq.free(0);
        int error = wqe.set(wr) ? checks.check(wqe) : Errno.EINVAL;
        if (error != 0) {
            wqe.refused();
            return error;
        }
        sq.post();
        return 0;
    }

    /** Implements {@link io.verbs4j.QueuePair#postBuilt}: posts all requests or none. */
    public int postBuilt(SendBuilder requests) {
        synchronized (sendLock) {
            if (closed || state < QpState.RTS) {
                return Errno.EINVAL;
            }
            int error = built.post(requests);
            if (error == 0 && !sq.isEmpty()) {
                runOrFlush();
            }
            return error;
        }
    }

    /** Returns whether this many more requests can be posted. Looks up what polling has freed only when needed. */
    boolean hasRoom(int requests) {
        if (sq.room() >= requests) {
            return true;
        }
        sq.free(sendCq.polled(sq));
        return sq.room() >= requests;
    }

    /** {@return whether it may wait for completion queues and enable other queue pairs} */
    boolean mayCross() {
        CrossChannel cross = crossChannel();
        return cross != null && cross.mayPost();
    }

    /** Implements {@link io.verbs4j.QueuePair#bindMw}. */
    public int bindMw(MemoryWindow mw, MwBind bind) {
        try {
            return tryToBind(mw, bind);
        } catch (Throwable e) {
            return BadWr.errno(e);
        }
    }

    private int tryToBind(MemoryWindow mw, MwBind bind) {
        if (!(mw instanceof RxeMemoryWindow window) || bind == null || mw.type() != MwType.TYPE_1) {
            return Errno.EINVAL;
        }
        int access = bind.mwAccessFlags() & ~AccessFlags.OPTIONAL_RANGE;
        int sendFlags = bind.sendFlags();
        long addr = bind.addr(); // read once: what is checked must be what is bound
        long length = bind.length();
        MemoryRegion mr = bind.mr();
        int wrong = TypeOneBind.check(mr, pd, addr, length, access);
        if (wrong != 0) {
            return wrong;
        }
        RxeMr region = length == 0 ? null : ((RxeMemoryRegion) mr).mr;
        if (Domains.root(mw.pd()) != pd) {
            return Errno.EPERM;
        }
        synchronized (sendLock) {
            if (closed || state < QpState.RTS) {
                return Errno.EINVAL;
            }
            if ((sendOps & QpCreateSendOps.BIND_MW) == 0
                    || (access & ~TypeOneBind.REMOTE_ACCESS) != 0
                    || (sendFlags & ~SendOps.FLAGS) != 0) {
                return Errno.EOPNOTSUPP;
            }
            if (!hasRoom(1)) {
                return Errno.ENOMEM;
            }
            // Bound immediately, so that the caller learns the new key; its completion waits for its turn in the queue.
            if (!window.mw.bind(region, addr, length, access)) {
                return Errno.EINVAL;
            }
            sq.post(window.mw, bind.wrId(), sendFlags);
            runOrFlush();
            return 0;
        }
    }

    /**
     * Continues with what was posted. If memory for packets runs out, the queue pair fails, because the caller can't be
     * informed otherwise.
     */
    void runOrFlush() {
        try {
            switch (state) {
                case QpState.RTS -> path.run();
                case QpState.SQE, QpState.ERR -> flushSends();
                default -> {
                    // SQD: they wait
                }
            }
        } catch (Throwable e) { // data path verbs don't throw
            failSoon(path);
        }
    }

    /** Carries out a request that concerns only this side; returns a status. The caller holds the send lock. */
    public int execute(SendWqe wqe) {
        if (CrossRequest.isOne(wqe.opcode)) {
            return crossChannel().execute(wqe);
        }
        switch (wqe.opcode) {
            case WrOpcode.BIND_MW -> {
                wqe.executed = wqe.bind.execute(windows, pd);
                return wqe.executed ? WcStatus.SUCCESS : WcStatus.MW_BIND_ERR;
            }
            case WrOpcode.LOCAL_INV -> {
                wqe.executed = keys().invalidate(wqe.invalidateRkey, windows, pd);
                return wqe.executed ? WcStatus.SUCCESS : WcStatus.LOC_QP_OP_ERR;
            }
            case WrOpcode.REG_MR -> {
                int status = wqe.register.execute(pd);
                wqe.executed = status == WcStatus.SUCCESS;
                return status;
            }
            default -> {
                return WcStatus.SUCCESS; // a type 1 bind, which was done when it was posted, or a no-op
            }
        }
    }

    /**
     * Returns whether a request may begin: if it invalidates a key at its end, that must be a key for fast
     * registrations.
     */
    public boolean canTakeBack(SendWqe wqe) {
        return !wqe.takesBack() || keys().isFast(wqe.data.firstKey());
    }

    /**
     * Invalidates the key that a request invalidates once all its data has arrived; returns false if the key is not
     * valid any more.
     */
    public boolean takeBack(SendWqe wqe) {
        return !wqe.takesBack() || keys().invalidate(wqe.data.firstKey(), null, pd);
    }

    // ---- completing

    /** Completes the send work request at {@code done}. The caller holds the send lock. */
    public void completeSend(int status, int byteLen) {
        SendWqe wqe = sq.at(sq.done());
        sq.retire(); // first: whoever sees the completion may end what was bound
        if (status != WcStatus.SUCCESS) {
            failedSends++;
        }
        if (sendsItself) {
            completeOwn(wqe, status);
            return;
        }
        if (counters != null) {
            counters.sent(wqe.wcOpcode(), status, byteLen);
        }
        if (status != WcStatus.SUCCESS || sigAll || wqe.has(SendFlags.SIGNALED)) {
            boolean invalidated = status == WcStatus.SUCCESS && wqe.takesBack();
            sendCq.pushSend(
                    wqe.wrId,
                    status,
                    wqe.wcOpcode(),
                    byteLen,
                    qpNum,
                    invalidated ? WcFlags.WITH_INV : 0,
                    invalidated ? wqe.data.firstKey() : 0,
                    sq);
        }
    }

    /** {@return the number of send requests that were accepted but have not ended} */
    public int unfinishedSends() {
        synchronized (sendLock) {
            return (int) (sq.posted() - sq.done());
        }
    }

    /** {@return the number of send requests that failed or were flushed} */
    public long failedSends() {
        synchronized (sendLock) {
            return failedSends;
        }
    }

    /** Completes successfully a request that was never in the send queue. The caller holds the send lock. */
    public void completeSent(long wrId, int sendFlags, int wcOpcode, int byteLen) {
        sq.pass();
        if (counters != null) {
            counters.sent(wcOpcode, WcStatus.SUCCESS, byteLen);
        }
        if (sigAll || (sendFlags & SendFlags.SIGNALED) != 0) {
            sendCq.pushSend(wrId, WcStatus.SUCCESS, wcOpcode, byteLen, qpNum, 0, 0, sq);
        }
    }

    /**
     * Fails the send work request at {@code done}: completes it and moves the queue pair to ERR (SQE on UC and UD),
     * where the rest is flushed. The caller holds the send lock.
     */
    public void failSend(int status) {
        completeSend(status, 0);
        if (isReliable()) {
            enterError();
        } else {
            state = QpState.SQE;
            stopPath();
            flushSends();
        }
    }

    /** Completes the requests in the send queue with a flush error. The caller holds the send lock. */
    void flushSends() {
        while (!sq.isEmpty()) {
            completeSend(WcStatus.WR_FLUSH_ERR, 0);
        }
    }

    // ---- time

    /**
     * Requests a call of {@link SendPath#onTimer} at a time, replacing an earlier request; {@code Long.MAX_VALUE}
     * requests none.
     */
    public void wakeAt(long time) {
        deadline = time;
        if (time != Long.MAX_VALUE) {
            host.deadlineSet(time);
        }
    }

    /** {@return the time at which {@link RxeQp#service} is due} */
    public long deadline() {
        return deadline;
    }

    void stopPath() {
        deadline = Long.MAX_VALUE;
        if (path != null) {
            path.stop();
        }
    }

    // ---- rate limit: the send lock is held

    /**
     * Limits the rate in state RTS; 0 kilobits per second removes the limit. Source: {@code
     * ibv_modify_qp_rate_limit(3)}.
     */
    public void limitRate(long kbps, long burstBytes) {
        synchronized (sendLock) {
            if (closed || state != QpState.RTS) {
                throw new VerbsException(
                        Errno.EINVAL,
                        "modify_qp_rate_limit",
                        "the queue pair is in state " + QpState.toString(state) + "; it must be in RTS");
            }
            limit = kbps == 0 ? null : new RateLimit(host::nanos, kbps, burstBytes);
            runOrFlush();
        }
    }

    /** Returns the nanoseconds until this many bytes may be sent. */
    public long sendDelay(long bytes) {
        return limit == null ? 0 : limit.delay(bytes);
    }

    /** {@return whether the rate is limited} */
    public boolean isLimited() {
        return limit != null;
    }

    /** {@return whether the program learns when a request completes successfully} */
    public boolean reports(SendWqe wqe) {
        return sigAll || sendsItself || counters != null || wqe.has(SendFlags.SIGNALED);
    }

    /** Counts sent bytes against the rate limit. */
    public void sent(long bytes) {
        if (limit != null) {
            limit.sent(bytes);
        }
    }

    // ---- for paths

    /** {@return the current state, a {@link QpState} value} */
    public int state() {
        return state;
    }

    /** {@return whether the queue pair is closed} */
    public boolean isClosed() {
        return closed;
    }

    /** {@return the send queue} */
    public SendQueue sendQueue() {
        return sq;
    }

    /** {@return the attributes} */
    public QpSettings settings() {
        return settings;
    }

    /** {@return the path that carries out the send queue; null before RTR} */
    public SendPath path() {
        return path;
    }

    // ---- what the other parts do

    /** Moves the queue pair to ERR and flushes both queues. The caller holds the send lock. */
    public abstract void enterError();

    /** Moves the queue pair to ERR soon, for an error of a path that no completion can report. */
    public abstract void failSoon(SendPath of);

    /** Completes a request of the device itself. The caller holds the send lock. */
    abstract void completeOwn(SendWqe wqe, int status);

    /** {@return the cross-channel state, or null} */
    abstract CrossChannel crossChannel();
}
