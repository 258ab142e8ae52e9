/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.QpLayout;
import io.verbs4j.rdmacore.memory.RegionTable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * A {@code struct ibv_qp}, its state, and posting to it. A post writes up to 32 work requests into memory of the queue pair's own and
 * hands them to the driver in one call.
 *
 * <p>The driver looks at no state before it posts, so what the verb must refuse is refused here.
 */
public class IbvQp extends IbvObject {
    private static final int BATCH = 32;

    private final int qpType;
    private final ProtectionDomain pd;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final SharedReceiveQueue srq;
    private final long operations;
    private final NativeFunction postSend;
    private final WindowBind windows;
    private final WindowLog windowLog;
    private final RegionTable regions;
    private final ReceivePost receives;
    private final int maxSendWr;
    private final int maxSendSge;
    private final int maxInlineData;
    private final RingLock sendLock = new RingLock(false);
    private final SendEnd sendEnd = new SendEnd(this);
    final SendTally tally;
    private IntConsumer handle;
    private volatile int qpNum;
    private volatile int state = QpState.RESET;
    private QpExFunctions builder;
    private long built;
    private SendRoom room; // null where the driver judges
    private final boolean signalsAll;
    private SendArea area;
    private long posted;
    private boolean closed;
    private final AtomicInteger references = new AtomicInteger();

    /**
     * Of a {@code struct ibv_qp}.
     *
     * @param attr holds the capacities that were given
     * @param operations what can be posted to it, {@link io.verbs4j.QpCreateSendOps} bits
     */
    public IbvQp(
            QpInitAttrEx attr,
            long operations,
            long address,
            ContextFunctions functions,
            RegionTable regions,
            WindowBook book) {
        super(address);
        QpCap cap = attr.cap();
        this.qpType = attr.qpType();
        this.pd = attr.pd() == null ? null : attr.pd().base();
        this.sendCq = attr.sendCq();
        this.recvCq = attr.recvCq();
        this.srq = attr.srq();
        this.operations = operations;
        this.signalsAll = attr.sqSigAll();
        this.tally = new SendTally(attr.sqSigAll());
        this.postSend = functions.postSend();
        this.windows = new WindowBind(functions);
        this.windowLog = new WindowLog(book, this::qpNum, attr.sqSigAll(), cap.maxSendWr(), () -> tellWindows(recvCq));
        this.regions = regions;
        this.maxSendWr = cap.maxSendWr();
        this.maxSendSge = cap.maxSendSge();
        this.maxInlineData = cap.maxInlineData();
        this.receives = new ReceivePost(
                hasNoReceives(qpType) ? null : functions.postRecv(),
                attr.srq() == null ? cap.maxRecvWr() : 0,
                cap.maxRecvSge(),
                false);
        this.qpNum = numberInStruct();
    }

    /** Whether no queue pair of the type receives by a queue of its own. */
    public static boolean hasNoReceives(int qpType) {
        return qpType == QpType.XRC_SEND || qpType == QpType.XRC_RECV;
    }

    private int numberInStruct() {
        return NativeMemory.getInt(address() + QpLayout.QP_NUM);
    }

    /**
     * Has operations go by {@code ibv_wr_*}, with what is posted together with them, before anything is posted; the queue pair was made for all
     * of its operations that can be built.
     *
     * @param some {@link io.verbs4j.QpCreateSendOps} bits of {@link #operations()}
     * @param counts whether the driver must not be asked to build more than the queue has room for: libmlx5 answers
     *     {@code ENOMEM} then, but
     *     has written data of what it refused into the last request that it accepted
     * @throws VerbsException {@link Errno#EOPNOTSUPP} where the driver has left a function out
     */
    public final void buildBy(long some, int maxInline, boolean counts) {
        long all = operations & QpExFunctions.OPERATIONS;
        builder = QpExFunctions.of(address(), addressing(), all, maxSendSge, maxInline);
        if (counts && maxSendWr != 0) {
            room = new SendRoom(maxSendWr);
            windowLog.book().add(qpNum, room);
            builder.keepTo(room, signalsAll);
        }
        built = some;
        if (!writesInline()) {
            builder.refuseInlineWrites();
        }
    }

    /** Whether RDMA writes by {@code ibv_wr_*} may have inline data. */
    protected boolean writesInline() {
        return true;
    }

    /**
     * Gives what is posted by {@code ibv_wr_*} from now on a word of the vendor's.
     *
     * @param setter {@code void (*)(struct vendors_qp *, uint32_t)}
     * @param object its first argument
     * @param word the second; 0 asks for nothing
     */
    public final void hintBy(NativeFunction setter, long object, int word) {
        sendLock.locked(() -> builder.hintBy(setter, object, word));
    }

    void tellNumber(IntConsumer to) {
        handle = to;
    }

    /** The number that completions name it by. */
    public final int qpNum() {
        return qpNum;
    }

    /** Takes over the number from the struct, where the device tells it later than at creation. */
    protected final void numbered() {
        numbered(numberInStruct());
    }

    /** Takes over a number that the vendor tells elsewhere. */
    protected final void numbered(int number) {
        qpNum = number;
        if (handle != null) { // else it is not made yet, and will ask
            handle.accept(number);
        }
    }

    /**
     * An event says that it has failed. The default has nothing to do.
     *
     * @param eventType an {@link io.verbs4j.EventType} value: QP_FATAL, QP_REQ_ERR or QP_ACCESS_ERR
     */
    public void failed(int eventType) {}

    /** What can be posted to it, {@link io.verbs4j.QpCreateSendOps} bits. */
    public final long operations() {
        return operations;
    }

    /** How many requests the send queue was asked to hold. */
    public final int maxSendWr() {
        return maxSendWr;
    }

    /** How many bytes a request may have inline. */
    public final int maxInlineData() {
        return maxInlineData;
    }

    /**
     * Whether inline data may be copied from there: memory that is registered with that key in the domain of the queue
     * pair.
     */
    public final boolean mayCopy(int lkey, long addr, int length) {
        return length == 0
                || regions.find(lkey, pd, addr, length) != null
                || regions.placed().address(lkey, pd, addr, length) != 0;
    }

    /** Which rule a send request breaks that the provider has for its own operations, in words; null where none is known. */
    public String broken(SendWorkRequest wr) {
        return null;
    }

    /** Which rule a receive breaks, in words; null where none is known. */
    public String broken(RecvWorkRequest wr) {
        return hasNoReceives(qpType)
                ? "a queue pair of type " + QpType.toString(qpType)
                        + " has no receive queue; post to the shared receive queue that messages name"
                : receives.broken(wr);
    }

    /** What was posted to it about memory windows. */
    public final WindowLog windowLog() {
        return windowLog;
    }

    /** Its type, a {@link QpType} value. */
    public final int qpType() {
        return qpType;
    }

    /** The type whose requests name their target as those of this one do. */
    protected int addressing() {
        return qpType;
    }

    /** Has the driver told of no more than so many bytes of each element of a receive, where no message is as long. */
    protected final void limitReceiveElements(int bytes) {
        receives.limitElements(bytes);
    }

    /** Refuses receives without elements. */
    protected final void requireReceiveElements() {
        receives.requireElements();
    }

    final ProtectionDomain pd() {
        return pd;
    }

    final CompletionQueue sendCq() {
        return sendCq;
    }

    /** Where it receives; null where it has a queue of its own, or none. */
    public final SharedReceiveQueue srq() {
        return srq;
    }

    /** The state that was set last. */
    protected final int state() {
        return state;
    }

    /**
     * Changes the state. Nobody posts while a queue pair goes to RESET: what the driver would take once it has forgotten its queues
     * would be in them again, and found by the device when it is ready anew.
     *
     * @param modify has the device change it; where it throws, all stays as it was
     */
    public final void change(int newState, Runnable modify) {
        if (newState != QpState.RESET) {
            modify.run();
            whileNobodyPosts(() -> state(newState));
            return;
        }
        whileNobodyPosts(() -> {
            ending(modify);
            dropCompletions();
            state(newState);
        });
    }

    /**
     * Has the device put it into RESET, or destroy it, while nobody posts.
     *
     * @param body throws where it stays as it was
     */
    protected void ending(Runnable body) {
        body.run();
    }

    /** Keeps posts waiting. It is no lock that a thread could take twice. */
    protected void whileNobodyPosts(Runnable body) {
        sendLock.locked(() -> receives.whileNobodyPosts(body));
    }

    /** Takes note of a state that was set, while nobody posts. */
    protected void state(int newState) {
        state = newState;
        receives.open(newState != QpState.RESET);
        if (newState == QpState.RESET) {
            windowLog.reset();
            tally.reset();
            if (room != null) {
                room.reset();
            }
        }
    }

    final int postSend(SendWorkRequest first, SendWorkRequest[] badWr) {
        boolean asOwner = sendLock.lock();
        try {
            return post(first, badWr);
        } finally {
            sendLock.unlock(asOwner);
        }
    }

    /** Posts, with the lock. */
    private int post(SendWorkRequest first, SendWorkRequest[] badWr) {
        if (first == null || closed || state < QpState.RTS) {
            return BadWr.tell(first, badWr, Errno.EINVAL);
        }
        if (postSend == null || operations == 0) {
            return BadWr.tell(first, badWr, Errno.EOPNOTSUPP);
        }
        if (maxSendWr == 0) {
            return BadWr.tell(first, badWr, Errno.EINVAL);
        }
        if (area == null) {
            area = new SendArea(
                    Math.min(maxSendWr, BATCH), maxSendSge, addressing(), operations, built, pd, regions, windowLog);
        }
        SendWorkRequest wr = first;
        int left = BadWr.mostAtOnce(maxSendWr);
        while (wr != null) {
            if (left == 0) {
                return BadWr.tell(wr, badWr, Errno.ENOMEM);
            }
            SendWorkRequest head = wr;
            int n = 0;
            int refused = 0;
            while (wr != null && n < Math.min(area.capacity(), left) && (refused = area.put(n, wr)) == 0) {
                n++;
                wr = wr.next();
            }
            if (refused == SendArea.LAST) {
                n++;
                wr = wr.next();
            }
            if (n == 0) {
                return BadWr.tell(wr, badWr, refused);
            }
            left -= n;
            area.end(n - 1);
            int error = area.builds()
                    ? builder.post(area, n)
                    : Answers.errno(postSend.call(address(), area.first(), area.badWr()));
            if (refused == SendArea.LAST) {
                area.posted(error == 0);
            }
            area.unpin();
            if (error != 0) {
                int accepted = area.badIndex();
                posted += accepted;
                tally.accepted(head, accepted);
                SendWorkRequest bad = BadWr.nth(head, accepted);
                boolean tooLong = error == Errno.ENOMEM && BadWr.isInlineBeyond(bad, maxInlineData);
                return BadWr.tell(bad, badWr, tooLong ? Errno.EINVAL : error);
            }
            posted += n;
            tally.accepted(head, n);
        }
        return 0;
    }

    /**
     * Posts a request of the vendor's own. The queue pair was made to {@link #buildBy} functions.
     *
     * @return 0 or an errno
     */
    protected final <R> int postOwn(OwnRequests<R> own, R request) {
        boolean asOwner = sendLock.lock();
        try {
            if (closed || state < QpState.RTS || maxSendWr == 0) {
                return Errno.EINVAL;
            }
            int error = own.prepare(request);
            if (error != 0) {
                return error;
            }
            try {
                error = builder.post(own);
                if (error == 0) {
                    posted++;
                    tally.accepted(own.isSignaled(false) ? SendFlags.SIGNALED : 0);
                }
            } finally {
                own.done();
            }
            return error;
        } finally {
            sendLock.unlock(asOwner);
        }
    }

    /** Tells when its send queue has run dry. */
    public final SendEnd sendEnd() {
        return sendEnd;
    }

    /** Has what is posted from now on, and what completes, be counted. */
    protected void watchSends() {
        IbvCq cq = IbvCq.of(sendCq);
        if (cq != null) {
            tally.use();
            cq.markers.watch(this);
        }
    }

    /** Whether nothing was posted, or all is known to be done. */
    protected boolean isSendQueueEmpty() {
        boolean asOwner = sendLock.lock();
        try {
            return posted == 0 || tally.isReached(tally.end());
        } finally {
            sendLock.unlock(asOwner);
        }
    }

    /**
     * Whether requests that were posted before a marker may have failed, once the queue pair is in ERR.
     *
     * @param told whether the marker has completed, or the last request
     * @param end what the tally is to reach
     */
    protected boolean mayHaveLost(boolean told, long end) {
        return !tally.isReached(end);
    }

    /** How many sends the driver has accepted since it was made. To be read while nobody posts. */
    protected final long sendsPosted() {
        return posted;
    }

    /** As {@link #sendsPosted}, of receives. */
    protected final long receivesPosted() {
        return receives.posted();
    }

    final int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return receives.post(address(), wr, badWr);
    }

    final int bindMw(MemoryWindow mw, MwBind bind) {
        boolean asOwner = sendLock.lockOnce();
        try {
            int error = closed || state < QpState.RTS ? Errno.EINVAL : bind(mw, bind);
            if (error == 0) {
                tally.accepted(bind.sendFlags()); // it completes as sends do, and so counts as one
            }
            return error;
        } finally {
            sendLock.unlock(asOwner);
        }
    }

    private int bind(MemoryWindow mw, MwBind bind) {
        if (room == null || bind == null) {
            return windows.bind(this, mw, bind);
        }
        if (!room.take(bind.wrId(), signalsAll || (bind.sendFlags() & SendFlags.SIGNALED) != 0)) {
            return Errno.ENOMEM;
        }
        int error = windows.bind(this, mw, bind);
        if (error != 0) {
            room.giveBack(1);
        }
        return error;
    }

    /** Takes out of its completion queues what it has left there, once it is destroyed or in RESET. */
    public final void dropCompletions() {
        drop(sendCq);
        if (recvCq != sendCq) {
            drop(recvCq);
        }
    }

    /**
     * Does something by which the driver takes completions out of the queues of this queue pair, while nobody reads them one by one.
     *
     * @throws VerbsException {@link Errno#EBUSY} where somebody does, and goes on
     */
    public final void holdingCompletions(String verb, Runnable body) {
        holding(verb, sendCq, () -> holding(verb, recvCq == sendCq ? null : recvCq, body));
    }

    /** As that, for one queue; null for none. */
    public static void holding(String verb, CompletionQueue cq, Runnable body) {
        if (cq == null) {
            body.run();
            return;
        }
        IbvCq ibv = ((NativeCompletionQueue) cq).ibv;
        ibv.hold(verb);
        try {
            body.run();
        } finally {
            ibv.release();
        }
    }

    private void drop(CompletionQueue cq) {
        if (cq != null) { // type XRC_RECV has none
            ((NativeCompletionQueue) cq).ibv.dropCompletionsOf(this);
        }
    }

    /**
     * Refuses to destroy it while a window is bound on it, where the kernel would wait for that, and long.
     *
     * @throws VerbsException {@link Errno#EBUSY}
     */
    private void requireNoWindow() {
        if (!windowLog.book().isFragile() || !windowLog.isHeld()) {
            return;
        }
        tellWindows(sendCq); // what the program has not polled yet
        tellWindows(recvCq);
        if (windowLog.isHeld()) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "destroy_qp",
                    "a memory window of type 2 is bound on it, or may be: close the window first, or invalidate its key by a"
                            + " request with a completion");
        }
    }

    /** As {@link IbvCq#tellWindows()}; null for none. */
    static void tellWindows(CompletionQueue cq) {
        if (cq != null) {
            ((NativeCompletionQueue) cq).ibv.tellWindows();
        }
    }

    /**
     * Keeps it from being destroyed until {@link #release}: for a vendor's objects that refer to it. Called while it is
     * pinned.
     */
    public final void retain() {
        references.incrementAndGet();
    }

    /** Ends one {@link #retain}. */
    public final void release() {
        references.decrementAndGet();
    }

    /**
     * Refuses to destroy it while something retains it. Called while nobody can pin it.
     *
     * @throws VerbsException {@link Errno#EBUSY}
     */
    public final void requireNoReferences() {
        int count = references.get();
        if (count != 0) {
            throw new VerbsException(
                    Errno.EBUSY, "destroy_qp", count + " objects of the vendor's verbs refer to it; close these first");
        }
    }

    /** Destroys the C object, while nobody posts; it stays as it was where that throws. */
    protected void destroyStruct() {
        Answers.check("destroy_qp", Libibverbs.ibv_destroy_qp(address()));
    }

    /** Destroys the queue pair; it stays as it was where that fails. */
    public void destroy() {
        sendLock.locked(() -> {
            requireNoWindow();
            receives.close(this::destroyStruct);
            closed = true;
            windowLog.close();
            if (room != null) {
                windowLog.book().remove(qpNum, room);
            }
            if (area != null) {
                area.free();
                area = null;
            }
            if (builder != null) {
                builder.free();
            }
        });
    }
}
