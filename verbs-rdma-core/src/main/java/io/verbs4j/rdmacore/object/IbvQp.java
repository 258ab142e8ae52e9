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
import io.verbs4j.rdmacore.quirk.Quirks;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * A {@code struct ibv_qp}, its state, and posting to it. A post writes up to 32 work requests to memory of the queue
 * pair's own and passes them to the driver in one call.
 *
 * <p>The driver checks no state before it posts, so requests that the verb must reject are rejected here.
 */
// Longer than 500 lines because the state, the checks before a post and the translation of requests belong to one lock
// and one block of native memory.
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
    private SendRoom room; // null if the driver checks the room itself
    private final boolean signalsAll;
    private SendArea area;
    private long posted;
    private boolean closed;
    private final AtomicInteger references = new AtomicInteger();

    /**
     * Creates the object for a {@code struct ibv_qp}.
     *
     * @param attr holds the granted capacities
     * @param operations the operations that can be posted, {@link io.verbs4j.QpCreateSendOps} bits
     */
    public IbvQp(
            QpInitAttrEx attr,
            long operations,
            long address,
            ContextFunctions functions,
            Quirks quirks,
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
        this.windows = new WindowBind(functions, quirks.bindReadsTheRegion());
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

    /** {@return whether queue pairs of a type have no receive queue of their own} */
    public static boolean hasNoReceives(int qpType) {
        return qpType == QpType.XRC_SEND || qpType == QpType.XRC_RECV;
    }

    private int numberInStruct() {
        return NativeMemory.getInt(address() + QpLayout.QP_NUM);
    }

    /**
     * Posts operations by {@code ibv_wr_*}, together with the requests in the same batch. Call it before anything is
     * posted; the queue pair must have been created for all of its operations that {@code ibv_wr_*} support.
     *
     * @param some {@link io.verbs4j.QpCreateSendOps} bits, part of {@link #operations()}
     * @param counts whether the driver must not get more requests than the queue has room for: libmlx5 then returns
     *     {@code ENOMEM}, but has written data of the refused request into the last one that it accepted
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the driver lacks a function
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

    /** {@return whether RDMA writes by {@code ibv_wr_*} may have inline data} */
    protected boolean writesInline() {
        return true;
    }

    /**
     * Sets a vendor-specific word for the requests posted by {@code ibv_wr_*} from now on.
     *
     * @param setter {@code void (*)(struct vendors_qp *, uint32_t)}
     * @param object its first argument
     * @param word its second argument; with 0 the setter is not called
     */
    public final void hintBy(NativeFunction setter, long object, int word) {
        sendLock.locked(() -> builder.hintBy(setter, object, word));
    }

    void tellNumber(IntConsumer to) {
        handle = to;
    }

    /** {@return the queue pair number in completions} */
    public final int qpNum() {
        return qpNum;
    }

    /** Takes the number from the struct, if the device assigns it later than at creation. */
    protected final void numbered() {
        numbered(numberInStruct());
    }

    /** Takes a number that the vendor provides elsewhere. */
    protected final void numbered(int number) {
        qpNum = number;
        if (handle != null) { // otherwise the handle is not created yet, and will ask
            handle.accept(number);
        }
    }

    /**
     * Handles an event that reports a failure. The default does nothing.
     *
     * @param eventType an {@link io.verbs4j.EventType} value: QP_FATAL, QP_REQ_ERR or QP_ACCESS_ERR
     */
    public void failed(int eventType) {}

    /** {@return the operations that can be posted, {@link io.verbs4j.QpCreateSendOps} bits} */
    public final long operations() {
        return operations;
    }

    /** {@return the granted number of send requests} */
    public final int maxSendWr() {
        return maxSendWr;
    }

    /** {@return the maximum number of bytes of inline data in a request} */
    public final int maxInlineData() {
        return maxInlineData;
    }

    /**
     * {@return whether inline data may be copied from a range: registered memory with that key in the queue pair's
     * domain}
     */
    public final boolean mayCopy(int lkey, long addr, int length) {
        return length == 0
                || regions.find(lkey, pd, addr, length) != null
                || regions.placed().address(lkey, pd, addr, length) != 0;
    }

    /** Explains which of the provider's own rules a send request breaks, or returns null if none is known. */
    public String broken(SendWorkRequest wr) {
        return null;
    }

    /** Explains which rule a receive breaks, or returns null if none is known. */
    public String broken(RecvWorkRequest wr) {
        return hasNoReceives(qpType)
                ? "a queue pair of type " + QpType.toString(qpType)
                        + " has no receive queue; post to the shared receive queue that messages name"
                : receives.broken(wr);
    }

    /** {@return the log of requests about memory windows} */
    public final WindowLog windowLog() {
        return windowLog;
    }

    /** {@return the type, a {@link QpType} value} */
    public final int qpType() {
        return qpType;
    }

    /** {@return the type whose requests address their target in the same way} */
    protected int addressing() {
        return qpType;
    }

    /** Limits the length of each receive element that is passed to the driver; no message is longer than that. */
    protected final void limitReceiveElements(int bytes) {
        receives.limitElements(bytes);
    }

    /** Rejects receives without elements. */
    protected final void requireReceiveElements() {
        receives.requireElements();
    }

    final ProtectionDomain pd() {
        return pd;
    }

    final CompletionQueue sendCq() {
        return sendCq;
    }

    /** {@return the shared receive queue, or null if it has a receive queue of its own or none} */
    public final SharedReceiveQueue srq() {
        return srq;
    }

    /** {@return the state that was set last} */
    protected final int state() {
        return state;
    }

    /**
     * Changes the state. Posts wait while a queue pair goes to RESET: requests that the driver accepted after it has
     * emptied its queues would still be there when the device uses the queues again.
     *
     * @param modify changes the state of the device; if it throws, nothing changes
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
     * Resets or destroys the queue pair while no thread posts.
     *
     * @param body throws if the queue pair stays as it was
     */
    protected void ending(Runnable body) {
        body.run();
    }

    /** Runs {@code body} while posts wait. Not reentrant. */
    protected void whileNobodyPosts(Runnable body) {
        sendLock.locked(() -> receives.whileNobodyPosts(body));
    }

    /** Notes a new state; called while no thread posts. */
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

    /** Posts with the lock held. */
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
     * Posts a vendor-specific request. The queue pair must use {@link #buildBy}.
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

    /** {@return the object that reports when the send queue has drained} */
    public final SendEnd sendEnd() {
        return sendEnd;
    }

    /** Counts requests posted from now on, and their completions. */
    protected void watchSends() {
        IbvCq cq = IbvCq.of(sendCq);
        if (cq != null) {
            tally.use();
            cq.markers.watch(this);
        }
    }

    /** {@return whether nothing was posted, or everything is known to be done} */
    protected boolean isSendQueueEmpty() {
        boolean asOwner = sendLock.lock();
        try {
            return posted == 0 || tally.isReached(tally.end());
        } finally {
            sendLock.unlock(asOwner);
        }
    }

    /**
     * Returns whether requests that were posted before a marker may have failed, once the queue pair is in ERR.
     *
     * @param told whether the marker, or the last request, has completed
     * @param end the count that the tally must reach
     */
    protected boolean mayHaveLost(boolean told, long end) {
        return !tally.isReached(end);
    }

    /** Returns how many sends the driver has accepted since creation. Call it while no thread posts. */
    protected final long sendsPosted() {
        return posted;
    }

    /** As {@link #sendsPosted}, for receives. */
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
                tally.accepted(bind.sendFlags()); // it completes like a send, and counts as one
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

    /** Removes the completions of a destroyed or reset queue pair from its completion queues. */
    public final void dropCompletions() {
        drop(sendCq);
        if (recvCq != sendCq) {
            drop(recvCq);
        }
    }

    /**
     * Runs a body in which the driver removes completions from the queue pair's completion queues, while no thread
     * reads them in place.
     *
     * @throws VerbsException {@link Errno#EBUSY} if a thread reads in place and continues
     */
    public final void holdingCompletions(String verb, Runnable body) {
        holding(verb, sendCq, () -> holding(verb, recvCq == sendCq ? null : recvCq, body));
    }

    /** As {@link #holdingCompletions}, for one completion queue, or for none if it is null. */
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
     * Refuses to destroy the queue pair while a window is bound on it, if the kernel would wait long for the window.
     *
     * @throws VerbsException {@link Errno#EBUSY}
     */
    private void requireNoWindow() {
        if (!windowLog.book().isFragile() || !windowLog.isHeld()) {
            return;
        }
        tellWindows(sendCq); // for completions not polled yet
        tellWindows(recvCq);
        if (windowLog.isHeld()) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "destroy_qp",
                    "a memory window of type 2 is or may be bound on it; close the window first, or invalidate its key"
                            + " by a request with a completion");
        }
    }

    /** As {@link IbvCq#tellWindows()}; does nothing for null. */
    static void tellWindows(CompletionQueue cq) {
        if (cq != null) {
            ((NativeCompletionQueue) cq).ibv.tellWindows();
        }
    }

    /**
     * Keeps the queue pair from being destroyed until {@link #release}, for vendor objects that refer to it. Call it
     * while the queue pair is pinned.
     */
    public final void retain() {
        references.incrementAndGet();
    }

    /** Ends one {@link #retain}. */
    public final void release() {
        references.decrementAndGet();
    }

    /**
     * Refuses to destroy the queue pair while it is retained. Call it while no thread can pin it.
     *
     * @throws VerbsException {@link Errno#EBUSY}
     */
    public final void requireNoReferences() {
        int count = references.get();
        if (count != 0) {
            throw new VerbsException(
                    Errno.EBUSY, "destroy_qp", count + " vendor-specific objects refer to it; close these first");
        }
    }

    /** Destroys the C object while no thread posts; if it throws, the object stays as it was. */
    protected void destroyStruct() {
        Answers.check("destroy_qp", Libibverbs.ibv_destroy_qp(address()));
    }

    /** Destroys the queue pair; if that fails, it stays as it was. */
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
