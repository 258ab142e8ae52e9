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
 * A queue pair of the embedded device: its two queues, its state, and what posts to them. A {@link SendPath} carries the
 * send queue out.
 *
 * <p>Two locks: the send lock guards the send queue and its path, the receive lock the message that is being received.
 * Order: the send lock, then the receive lock (its own or another queue pair's), then a completion queue's. Who holds a
 * receive lock never takes a send lock: the port's worker thread does what needs one.
 */
public class RxeQueuePair implements Inbox {
    /** Largest message, in bytes. */
    public static final long MAX_MESSAGE = 1L << 31;

    private static final AtomicReferenceFieldUpdater<RxeQueuePair, SendPath> FAILED =
            AtomicReferenceFieldUpdater.newUpdater(RxeQueuePair.class, SendPath.class, "failed");

    /** Operations that no other type has. */
    private static final long RC_ALONE = QpCreateSendOps.LOCAL_INV
            | QpCreateSendOps.SEND_WITH_INV
            | QpCreateSendOps.FLUSH
            | QpCreateSendOps.ATOMIC_WRITE
            | QpCreateSendOps.REG_MR
            | QpCreateSendOps.RDMA_READ_WITH_INV
            | QpCreateSendOps.MASKED_ATOMIC_CMP_AND_SWP
            | QpCreateSendOps.MASKED_ATOMIC_FETCH_AND_ADD;

    /** The flags that there are. */
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

    /** What may be posted, {@link QpCreateSendOps} bits. */
    private final long sendOps;

    private final SendQueue sq;

    private final ReceiveSide receives;

    /** Whether it is the device itself that sends. */
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

    /** The path that {@link #failSoon} was called for; null where none was, or it has been seen to. */
    private volatile SendPath failed;

    private volatile long deadline = Long.MAX_VALUE;
    /** What it has of cross channel; null where that is nothing. */
    private final CrossChannel cross;

    /** How it was made, {@link QpCreateFlags} bits. */
    private final int createFlags;

    private volatile SendPath path;
    private boolean draining;

    /** Completion counters; null where there are none. Written with both locks held, read with either. */
    private QpCounters counters;

    /** Send requests that have failed or were flushed. Guarded by the send lock. */
    private long failedSends;

    /** How fast it may send; null: as fast as it can. Guarded by the send lock. */
    private RateLimit limit;

    // Its place in a KickList; guarded by that.
    RxeQueuePair nextKicked;
    boolean isKicked;

    /** Makes a queue pair in state RESET; {@code events} is null where events are told in another way. */
    public RxeQueuePair(QpInitAttrEx attr, int qpNum, QpHost host, ReadyEvents events) {
        this(attr, qpNum, host, events, inlineMemory(null, attr));
    }

    /** Memory for the inline data of a send queue, as the domain has it; the device's own where that is null. */
    public static RingMemory inlineMemory(ProtectionDomain domain, QpInitAttrEx attr) {
        QpCap cap = attr.cap();
        return isForDevice(attr)
                ? RingMemory.forSendQueue(null, Rendezvous.SENDS, Rendezvous.INLINE)
                : RingMemory.forSendQueue(domain, cap.maxSendWr(), cap.maxInlineData());
    }

    /** Whether it is the device that sends: what takes rendezvous requests, and has no send queue for the program. */
    private static boolean isForDevice(QpInitAttrEx attr) {
        return attr.srq() != null && attr.cap().maxSendWr() == 0 && ((SrqHandle) attr.srq()).srq.matchesTags();
    }

    /** With memory for the inline data of the send queue. */
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
        this.cap = new QpCap() // a copy: the caller may go on using its own
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

    /** What can be posted to queue pairs of a type, {@link QpCreateSendOps} bits. */
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

    /** What may be posted, {@link QpCreateSendOps} bits. */
    long sendOps() {
        return sendOps;
    }

    /** What decides which objects go together; the receiving side of XRC has none. */
    private static ProtectionDomain base(ProtectionDomain domain) {
        return domain == null ? null : Domains.root(domain);
    }

    private static RxeCompletionQueue queue(CompletionQueue handle) {
        return handle == null ? null : ((CqHandle) handle).cq;
    }

    /** Its number. */
    public final int qpNum() {
        return qpNum;
    }

    /** The transport service, a {@link QpType} value. */
    public final int qpType() {
        return qpType;
    }

    @Override
    public final ProtectionDomain pd() {
        return pd;
    }

    /** Whether it completes work requests there. */
    public final boolean completesTo(RxeCompletionQueue cq) {
        return sendCq == cq || recvCq == cq || receives.completesTo(cq);
    }

    private boolean isXrc() {
        return qpType == QpType.XRC_SEND || qpType == QpType.XRC_RECV;
    }

    /** Whether it has an acknowledged connection: RC, or either side of XRC. */
    public final boolean isReliable() {
        return qpType == QpType.RC || isXrc();
    }

    // ---- posting

    /** As {@link io.verbs4j.QueuePair#postSend(SendWorkRequest, SendWorkRequest[])}. */
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
            } catch (Throwable e) { // it is not in the queue yet
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

    /** As {@link io.verbs4j.QueuePair#postBuilt}: posts all requests or none. */
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

    /** Whether so many more can be posted. What polling has freed is asked for only where it is needed. */
    boolean hasRoom(int requests) {
        if (sq.room() >= requests) {
            return true;
        }
        sq.free(sendCq.polled(sq));
        return sq.room() >= requests;
    }

    /** Whether what it sends to a group does not come back to it. */
    public final boolean blocksItsMulticasts() {
        return (createFlags & QpCreateFlags.BLOCK_SELF_MCAST_LB) != 0;
    }

    /** Whether latency counts more than processor time. */
    public final boolean isUrgent() {
        return (createFlags & QpCreateFlags.LOW_LATENCY) != 0;
    }

    /** Whether it may wait for completion queues and let other queue pairs begin. */
    boolean mayCross() {
        return cross != null && cross.mayPost();
    }

    /** What it has of cross channel, or null. */
    CrossChannel crossChannel() {
        return cross;
    }

    /** Whether an opcode, of any number, is one of {@link QpCreateSendOps} bits. */
    public static boolean isAmong(long ops, int opcode) {
        return (QpCreateSendOps.of(opcode) & ops) != 0;
    }

    /** Whether windows of type 2 are bound on queue pairs of a type: nobody reaches memory through the sending side of XRC. */
    static boolean bindsByRequest(int qpType) {
        return qpType == QpType.RC || qpType == QpType.UC;
    }

    /** As {@link io.verbs4j.QueuePair#postRecv(RecvWorkRequest, RecvWorkRequest[])}. */
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return receives.post(wr, badWr);
    }

    /** As {@link io.verbs4j.QueuePair#bindMw}. */
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
        long addr = bind.addr(); // once, as what is checked must be what is bound
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
            // Bound at once, so that the caller knows the new key; it takes its turn in the queue to complete.
            if (!window.mw.bind(region, addr, length, access)) {
                return Errno.EINVAL;
            }
            sq.post(window.mw, bind.wrId(), sendFlags);
            runOrFlush();
            return 0;
        }
    }

    /** Goes on with what was posted. Who posts can't be told that there was no memory for packets: the queue pair ends. */
    private void runOrFlush() {
        try {
            switch (state) {
                case QpState.RTS -> path.run();
                case QpState.SQE, QpState.ERR -> flushSends();
                default -> {
                    // SQD: they wait
                }
            }
        } catch (Throwable e) { // verbs of data don't throw
            failSoon(path);
        }
    }

    /** Carries out a request that is this side's alone; answers a status. The send lock is held. */
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
                return WcStatus.SUCCESS; // a bind that was one when that was posted, or nothing
            }
        }
    }

    /** Whether a request may begin, as far as the key goes that it takes back in the end. */
    public boolean canTakeBack(SendWqe wqe) {
        return !wqe.takesBack() || keys().isFast(wqe.data.firstKey());
    }

    /** Takes back the key that a request takes back when all of it has come; false where it is none any more. */
    public boolean takeBack(SendWqe wqe) {
        return !wqe.takesBack() || keys().invalidate(wqe.data.firstKey(), null, pd);
    }

    // ---- completing

    /** Completes the send work request at {@code done}. The send lock is held. */
    public void completeSend(int status, int byteLen) {
        SendWqe wqe = sq.at(sq.done());
        sq.retire(); // first: who sees the completion may end what was bound
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

    /** How many send requests were accepted and have not ended. */
    public int unfinishedSends() {
        synchronized (sendLock) {
            return (int) (sq.posted() - sq.done());
        }
    }

    /** How many send requests have failed or were flushed. */
    public long failedSends() {
        synchronized (sendLock) {
            return failedSends;
        }
    }

    /** Completes, with success, a request that was never in the send queue. The send lock is held. */
    public void completeSent(long wrId, int sendFlags, int wcOpcode, int byteLen) {
        sq.pass();
        if (counters != null) {
            counters.sent(wcOpcode, WcStatus.SUCCESS, byteLen);
        }
        if (sigAll || (sendFlags & SendFlags.SIGNALED) != 0) {
            sendCq.pushSend(wrId, WcStatus.SUCCESS, wcOpcode, byteLen, qpNum, 0, 0, sq);
        }
    }

    /** Whether it may post an operation, a {@link QpCreateSendOps} bit. */
    public boolean has(long op) {
        return (sendOps & op) != 0;
    }

    /**
     * Fails the send work request at {@code done}: completes it, and the queue pair goes to ERR (SQE on UC and UD), where
     * the rest is flushed. The send lock is held.
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

    /** Where messages go: this, but for XRC. */
    public Inbox newInbox() {
        return this;
    }

    /** Whether a shared receive queue is one of another process. */
    public boolean isForeign(int srqNum) {
        return false;
    }

    /** Whether other processes may have to be waited for. */
    public boolean waitsForProcesses() {
        return false;
    }

    /** Threads for what a thread that receives packets must not wait for. */
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

    /** Always true: where the completion was lost, the queue pair is told otherwise. */
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

    /** A receive has completed. */
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

    /** Takes the next receive work request where so many bytes fit into it; answers a constant of {@link RecvQueue}. */
    public final int takeReceive(RecvWqe into, long bytes) {
        return receives.take(into, bytes);
    }

    @Override
    public final RecvWqe newRecvWqe() {
        return receives.newWqe();
    }

    /** An element to receive datagrams with, always the same. The receive lock is held. */
    public RecvWqe datagramWqe() {
        return receives.datagram();
    }

    /** Completes with a flush error what is in the send queue. The send lock is held. */
    private void flushSends() {
        while (!sq.isEmpty()) {
            completeSend(WcStatus.WR_FLUSH_ERR, 0);
        }
    }

    // ---- state

    /** The queue pair goes to ERR, and both queues are flushed. The send lock is held. */
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
     * The queue pair goes to ERR after an error that the receiving side found; the send queue is flushed soon, by the
     * worker thread. May be called with a receive lock held, this one's or another's.
     */
    public void enterErrorSoon() {
        errorWanted = true;
        host.kick(this);
    }

    /**
     * The queue pair goes to ERR soon, with an event: something has gone wrong that no completion can tell. May be
     * called with any lock, or none: where the queue pair has another path by the time that the worker thread sees to
     * it, nothing happens.
     *
     * @param of the path that it has happened to
     */
    public void failSoon(SendPath of) {
        SendPath before;
        do {
            before = failed;
            if (before != null && before == path) {
                return; // that is seen to; an older one would take its place
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

    /** The queue pair goes to ERR with an event, unless it is not in use: a thread that it needs is gone. */
    public void fail() {
        try {
            synchronized (sendLock) {
                if (!closed && state >= QpState.RTR && state <= QpState.SQE) {
                    raise(EventType.QP_FATAL);
                    enterError();
                }
            }
        } catch (Throwable e) { // others are to be told, too
            enterErrorSoon();
        }
    }

    /** Lets the worker thread call {@link SendPath#flush()} soon. */
    @Override
    public void serviceSoon() {
        host.kick(this);
    }

    /**
     * What the worker thread does for this queue pair, after a kick or a deadline.
     *
     * @param now the time
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

    /** Posts reads for rendezvous requests; false where there are none. */
    private boolean readMore() {
        if (settings.maxRdAtomic() == 0) {
            receives.rendezvous.giveUp(keys(), pd);
            return false;
        }
        return receives.rendezvous.post();
    }

    /** Asks for {@link SendPath#onTimer} at a time, in place of an earlier wish. {@code Long.MAX_VALUE}: not at all. */
    public void wakeAt(long time) {
        deadline = time;
        if (time != Long.MAX_VALUE) {
            host.deadlineSet(time);
        }
    }

    /** The time that deadlines are set by. */
    public long now() {
        return host.now();
    }

    /** When {@link #service} is due. */
    public long deadline() {
        return deadline;
    }

    /** The first message from the other side has come: RTR's event, once. */
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

    /** Changes attributes and state; the library has checked that the transition exists. */
    public void modify(QpAttr attr, int mask) {
        synchronized (sendLock) {
            int target = (mask & QpAttrMask.STATE) != 0 ? attr.qpState() : state;
            // Once more, because the queue pair may have gone to an error state since the library looked.
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

    /** To be called by a path whenever nothing is under way any more; raises SQ_DRAINED where that was waited for. */
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
            errorWanted = false; // here: a message that was being received may have found an error until now
        }
        windows.free();
        purgeCompletions();
    }

    // ---- what is counted

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

    // ---- how fast: the send lock is held

    /** Limits the rate in state RTS; at 0 kilobits per second not. Source: {@code ibv_modify_qp_rate_limit(3)}. */
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

    /** Nanoseconds until so many bytes may be sent. */
    public long sendDelay(long bytes) {
        return limit == null ? 0 : limit.delay(bytes);
    }

    /** Whether there is a limit to the rate. */
    public boolean isLimited() {
        return limit != null;
    }

    /** So many bytes are sent. */
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

    /** Ends the queue pair. Nothing touches memory for it when this returns. */
    public void destroy() {
        synchronized (sendLock) {
            closed = true;
            reset();
        }
        dropEvents();
    }

    /** Drops the events that nobody has fetched. */
    protected void dropEvents() {
        events.drop();
    }

    /** Tells attributes, but for what its handle knows. */
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

    /** The state now, a {@link QpState} value. */
    public int state() {
        return state;
    }

    /** Whether requests from the other side are taken. */
    public boolean isReceiving() {
        int s = state;
        return s >= QpState.RTR && s <= QpState.SQE && !closed && !errorWanted && failed == null;
    }

    /** Whether the queue pair is gone. */
    public boolean isClosed() {
        return closed;
    }

    /** The send queue. */
    public SendQueue sendQueue() {
        return sq;
    }

    /** Attributes. */
    public QpSettings settings() {
        return settings;
    }

    @Override
    public final MemoryKeys keys() {
        return host.keys();
    }

    /** What carries out the send queue; null before RTR. */
    public SendPath path() {
        return path;
    }
}
