/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompCntrOps;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.QpStateTable;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
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
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import io.verbs4j.provider.rxe.memory.MrHandle;
import io.verbs4j.provider.rxe.memory.MwHandle;
import io.verbs4j.provider.rxe.memory.RxeMemoryRegion;
import io.verbs4j.provider.rxe.queue.BadWr;
import io.verbs4j.provider.rxe.queue.CqHandle;
import io.verbs4j.provider.rxe.queue.CrossRequest;
import io.verbs4j.provider.rxe.queue.ReadyEvents;
import io.verbs4j.provider.rxe.queue.RecvQueue;
import io.verbs4j.provider.rxe.queue.RecvWqe;
import io.verbs4j.provider.rxe.queue.Rendezvous;
import io.verbs4j.provider.rxe.queue.RingMemory;
import io.verbs4j.provider.rxe.queue.RxeCompletionQueue;
import io.verbs4j.provider.rxe.queue.RxeSharedReceiveQueue;
import io.verbs4j.provider.rxe.queue.SendQueue;
import io.verbs4j.provider.rxe.queue.SendWqe;
import io.verbs4j.provider.rxe.queue.SrqHandle;
import io.verbs4j.provider.rxe.queue.TagList;
import io.verbs4j.provider.rxe.queue.TaggedMessage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * A queue pair of the embedded device: its state, its two queues and the posting of requests. A {@link SendPath}
 * carries out the send queue.
 *
 * <p>There are two locks: the send lock guards the send queue and its path, the receive lock the message that is being
 * received. The order is: the send lock, then a receive lock (its own or another queue pair's), then a completion
 * queue's. A thread that holds a receive lock never takes a send lock; the port's worker thread does what needs one.
 */
public class RxeQueuePair implements Inbox {
    /** Maximum message length in bytes. */
    public static final long MAX_MESSAGE = 1L << 31;

    private static final AtomicReferenceFieldUpdater<RxeQueuePair, SendPath> FAILED =
            AtomicReferenceFieldUpdater.newUpdater(RxeQueuePair.class, SendPath.class, "failed");

    /** Operations that only RC supports. */
    private static final long RC_ALONE = QpCreateSendOps.LOCAL_INV
            | QpCreateSendOps.SEND_WITH_INV
            | QpCreateSendOps.FLUSH
            | QpCreateSendOps.ATOMIC_WRITE
            | QpCreateSendOps.REG_MR
            | QpCreateSendOps.RDMA_READ_WITH_INV
            | QpCreateSendOps.MASKED_ATOMIC_CMP_AND_SWP
            | QpCreateSendOps.MASKED_ATOMIC_FETCH_AND_ADD;

    /** The supported send flags. */
    static final int SEND_FLAGS = SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.INLINE;

    /** Guards the send queue and the path. */
    public final Object sendLock = new Object();

    /** Guards the receiving side. */
    public final Object recvLock = new Object();

    private final int qpNum;
    private final int qpType;
    private final ProtectionDomain pd;
    private final RxeCompletionQueue sendCq;
    private final RxeCompletionQueue recvCq;
    private final QpHost host;
    private final QpCap cap;
    private final boolean sigAll;

    /** The operations that may be posted, {@link QpCreateSendOps} bits. */
    private final long sendOps;

    private final SendQueue sq;

    private final ReceiveSide receives;

    /** Whether the device itself sends, instead of the program. */
    private final boolean sendsItself;

    private final ReadyEvents events;
    private final QpSettings settings = new QpSettings();
    private final BoundWindows windows = new BoundWindows();
    private final SendChecks checks;
    private final BuiltSends built;

    private volatile int state = QpState.RESET;
    private volatile boolean closed;
    private volatile boolean communicating;
    private volatile boolean errorWanted;

    /** The path that {@link #failSoon} was called for; null if none, or if it has been handled. */
    private volatile SendPath failed;

    private volatile long deadline = Long.MAX_VALUE;
    /** The cross-channel state, or null if the queue pair has none. */
    private final CrossChannel cross;

    /** The creation flags, {@link QpCreateFlags} bits. */
    private final int createFlags;

    private volatile SendPath path;
    private boolean draining;

    /** Completion counters; null if there are none. Written with both locks held, read with either. */
    private QpCounters counters;

    /** Number of send requests that failed or were flushed. Guarded by the send lock. */
    private long failedSends;

    /** The rate limit; null if there is none. Guarded by the send lock. */
    private RateLimit limit;

    // Link and membership of a KickList; guarded by that list.
    RxeQueuePair nextKicked;
    boolean isKicked;

    /** Creates a queue pair in state RESET; {@code events} is null if events are delivered in another way. */
    public RxeQueuePair(QpInitAttrEx attr, int qpNum, QpHost host, ReadyEvents events) {
        this(attr, qpNum, host, events, inlineMemory(null, attr));
    }

    /**
     * Allocates memory for the inline data of a send queue, from the domain, or the device's own if the domain is null.
     */
    public static RingMemory inlineMemory(ProtectionDomain domain, QpInitAttrEx attr) {
        QpCap cap = attr.cap();
        return isForDevice(attr)
                ? RingMemory.forSendQueue(null, Rendezvous.SENDS, Rendezvous.INLINE)
                : RingMemory.forSendQueue(domain, cap.maxSendWr(), cap.maxInlineData());
    }

    /**
     * Returns whether the device itself sends: on a queue pair that receives rendezvous requests and has no send queue
     * for the program.
     */
    private static boolean isForDevice(QpInitAttrEx attr) {
        return attr.srq() != null && attr.cap().maxSendWr() == 0 && ((SrqHandle) attr.srq()).srq.matchesTags();
    }

    /** Creates a queue pair with the given memory for the inline data of the send queue. */
    public RxeQueuePair(QpInitAttrEx attr, int qpNum, QpHost host, ReadyEvents events, RingMemory inlineMemory) {
        this.qpNum = qpNum;
        this.qpType = attr.qpType();
        this.pd = base(attr.pd());
        this.checks = new SendChecks(this);
        this.sendCq = queue(attr.sendCq());
        this.recvCq = queue(attr.recvCq());
        this.host = host;
        this.events = events;
        this.sigAll = attr.sqSigAll();
        boolean named = (attr.compMask() & QpInitAttrMask.SEND_OPS_FLAGS) != 0;
        boolean itself = isForDevice(attr);
        this.sendOps = itself ? 0 : named ? attr.sendOpsFlags() : sendOps(qpType);
        QpCap c = attr.cap();
        this.cap = new QpCap() // a copy: the caller may change its own
                .maxSendWr(c.maxSendWr())
                .maxRecvWr(c.maxRecvWr())
                .maxSendSge(c.maxSendSge())
                .maxRecvSge(c.maxRecvSge())
                .maxInlineData(c.maxInlineData());
        this.sq = itself
                ? new SendQueue(Rendezvous.SENDS, TagList.MAX_SGE, Rendezvous.INLINE, inlineMemory)
                : new SendQueue(c.maxSendWr(), c.maxSendSge(), c.maxInlineData(), inlineMemory);
        this.built = new BuiltSends(this, sq, checks);
        RxeSharedReceiveQueue shared = attr.srq() == null ? null : ((SrqHandle) attr.srq()).srq;
        RecvQueue own = shared == null && !isXrc() ? new RecvQueue(c.maxRecvWr(), c.maxRecvSge()) : null;
        this.sendsItself = itself;
        this.receives = new ReceiveSide(this, recvCq, own, shared, itself);
        this.createFlags = CrossChannel.createFlags(attr);
        this.cross = CrossChannel.of(this, host, attr, sq, own);
    }

    /** Returns the operations that can be posted to queue pairs of a type, {@link QpCreateSendOps} bits. */
    public static long sendOps(int qpType) {
        long datagrams = QpCreateSendOps.SEND | QpCreateSendOps.SEND_WITH_IMM | QpCreateSendOps.NOP;
        long unreliable =
                datagrams | QpCreateSendOps.RDMA_WRITE | QpCreateSendOps.RDMA_WRITE_WITH_IMM | QpCreateSendOps.BIND_MW;
        long reads =
                QpCreateSendOps.RDMA_READ | QpCreateSendOps.ATOMIC_CMP_AND_SWP | QpCreateSendOps.ATOMIC_FETCH_AND_ADD;
        long cross = QpCreateSendOps.CQE_WAIT | QpCreateSendOps.SEND_ENABLE | QpCreateSendOps.RECV_ENABLE;
        return switch (qpType) {
            case QpType.RC -> cross | unreliable | reads | RC_ALONE;
            case QpType.XRC_SEND -> unreliable | reads;
            case QpType.UC -> cross | unreliable;
            case QpType.UD -> cross | datagrams;
            default -> 0;
        };
    }

    /** {@return the operations that may be posted, {@link QpCreateSendOps} bits} */
    long sendOps() {
        return sendOps;
    }

    /** Returns the domain that decides which objects go together; null on the receiving side of XRC. */
    private static ProtectionDomain base(ProtectionDomain domain) {
        return domain == null ? null : Domains.root(domain);
    }

    private static RxeCompletionQueue queue(CompletionQueue handle) {
        return handle == null ? null : ((CqHandle) handle).cq;
    }

    /** {@return the queue pair number} */
    public final int qpNum() {
        return qpNum;
    }

    /** {@return the transport service, a {@link QpType} value} */
    public final int qpType() {
        return qpType;
    }

    @Override
    public final ProtectionDomain pd() {
        return pd;
    }

    /** Returns whether it completes work requests to this queue. */
    public final boolean completesTo(RxeCompletionQueue cq) {
        return sendCq == cq || recvCq == cq || receives.completesTo(cq);
    }

    private boolean isXrc() {
        return qpType == QpType.XRC_SEND || qpType == QpType.XRC_RECV;
    }

    /** {@return whether it has an acknowledged connection: RC, or either side of XRC} */
    public final boolean isReliable() {
        return qpType == QpType.RC || isXrc();
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

    /** {@return whether its own multicasts are not delivered to it} */
    public final boolean blocksItsMulticasts() {
        return (createFlags & QpCreateFlags.BLOCK_SELF_MCAST_LB) != 0;
    }

    /** {@return whether latency matters more than processor time} */
    public final boolean isUrgent() {
        return (createFlags & QpCreateFlags.LOW_LATENCY) != 0;
    }

    /** {@return whether it may wait for completion queues and enable other queue pairs} */
    boolean mayCross() {
        return cross != null && cross.mayPost();
    }

    /** {@return the cross-channel state, or null} */
    CrossChannel crossChannel() {
        return cross;
    }

    /** Returns whether an opcode, which may be any number, is among {@link QpCreateSendOps} bits. */
    public static boolean isAmong(long ops, int opcode) {
        return (QpCreateSendOps.of(opcode) & ops) != 0;
    }

    /**
     * Returns whether type 2 windows can be bound on queue pairs of a type. They can't on the sending side of XRC,
     * through which no peer accesses memory.
     */
    static boolean bindsByRequest(int qpType) {
        return qpType == QpType.RC || qpType == QpType.UC;
    }

    /** Implements {@link io.verbs4j.QueuePair#postRecv(RecvWorkRequest, RecvWorkRequest[])}. */
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return receives.post(wr, badWr);
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
        if (!(mw instanceof MwHandle window) || bind == null || mw.type() != MwType.TYPE_1) {
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
        RxeMemoryRegion region = length == 0 ? null : ((MrHandle) mr).mr;
        if (Domains.root(mw.pd()) != pd) {
            return Errno.EPERM;
        }
        synchronized (sendLock) {
            if (closed || state < QpState.RTS) {
                return Errno.EINVAL;
            }
            if ((sendOps & QpCreateSendOps.BIND_MW) == 0
                    || (access & ~TypeOneBind.REMOTE_ACCESS) != 0
                    || (sendFlags & ~SEND_FLAGS) != 0) {
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
    private void runOrFlush() {
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
            return cross.execute(wqe);
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
            receives.rendezvous.completed(wqe, status);
            if (receives.rendezvous.isWaiting()) {
                host.kick(this);
            }
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

    /** Returns whether an operation, a {@link QpCreateSendOps} bit, may be posted. */
    public boolean has(long op) {
        return (sendOps & op) != 0;
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

    // ---- receiving: the receive lock is held

    /** Returns the destination of messages: this queue pair, except with XRC. */
    public Inbox newInbox() {
        return this;
    }

    /** Returns whether a shared receive queue belongs to another process. */
    public boolean isForeign(int srqNum) {
        return false;
    }

    /** {@return whether it may have to wait for other processes} */
    public boolean waitsForProcesses() {
        return false;
    }

    /** {@return the threads for work that a thread that receives packets must not wait for} */
    public Executor helpers() {
        return host.helpers();
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

    /** Completes the requests in the send queue with a flush error. The caller holds the send lock. */
    private void flushSends() {
        while (!sq.isEmpty()) {
            completeSend(WcStatus.WR_FLUSH_ERR, 0);
        }
    }

    // ---- state

    /** Moves the queue pair to ERR and flushes both queues. The caller holds the send lock. */
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

    /** {@return the time that deadlines are measured in} */
    public long now() {
        return host.now();
    }

    /** {@return the time at which {@link #service} is due} */
    public long deadline() {
        return deadline;
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

    // ---- counters

    /** Attaches a completion counter, for {@link CompCntrOps} bits. */
    public void attachCounter(CounterHandle handle, int ops) {
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

    /** Counts sent bytes against the rate limit. */
    public void sent(long bytes) {
        if (limit != null) {
            limit.sent(bytes);
        }
    }

    private void stopPath() {
        deadline = Long.MAX_VALUE;
        if (path != null) {
            path.stop();
        }
    }

    private void purgeCompletions() {
        if (sendCq != null) {
            sendCq.purge(sq);
        }
        if (recvCq != null) {
            recvCq.purge(this);
        }
    }

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

    // ---- for paths

    /** {@return the current state, a {@link QpState} value} */
    public int state() {
        return state;
    }

    /** {@return whether requests from the peer are accepted} */
    public boolean isReceiving() {
        int s = state;
        return s >= QpState.RTR && s <= QpState.SQE && !closed && !errorWanted && failed == null;
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

    @Override
    public final MemoryKeys keys() {
        return host.keys();
    }

    /** {@return the path that carries out the send queue; null before RTR} */
    public SendPath path() {
        return path;
    }
}
