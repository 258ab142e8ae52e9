/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.WcOpcode;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.CqLayout;
import io.verbs4j.rdmacore.layout.WcLayout;
import io.verbs4j.rdmacore.marshal.Completions;
import io.verbs4j.rdmacore.quirk.Quirks;
import java.util.function.IntConsumer;
import java.util.function.LongPredicate;

/**
 * A {@code struct ibv_cq} and its polling. A poll calls the driver once for up to 32 completions, which it writes to
 * memory of the queue's own.
 */
public class IbvCq extends IbvObject {
    private static final int BATCH = 32;

    private final NativeFunction pollCq;
    private final NativeFunction reqNotifyCq;
    private final boolean tellsKeysByKernelsFlag;
    private final int strangers;
    final WindowBook windows;
    final Object lock = new Object();
    final KeptCompletions kept = new KeptCompletions();

    /** The completions that do not belong to the program. */
    public final SendMarkers markers = new SendMarkers();

    private IntConsumer handle;
    private volatile boolean overrun;
    private long area;
    boolean closed; // guarded by the lock

    /** Creates the object for a {@code struct ibv_cq}. */
    public IbvCq(long address, ContextFunctions functions, Quirks quirks, WindowBook windows) {
        this(address, functions, quirks, windows, true);
    }

    /**
     * Creates the object for a {@code struct ibv_cq}.
     *
     * @param readable whether the driver can read the completions; otherwise the provider must
     */
    public IbvCq(long address, ContextFunctions functions, Quirks quirks, WindowBook windows, boolean readable) {
        super(address);
        this.windows = windows;
        this.tellsKeysByKernelsFlag = quirks.tellsKeysByKernelsFlag();
        this.strangers = quirks.mostStrangers();
        this.pollCq = readable ? functions.pollCq() : null;
        this.reqNotifyCq = functions.reqNotifyCq();
        this.area = NativeMemory.allocate(BATCH * WcLayout.SIZEOF);
    }

    void tellSize(IntConsumer to) {
        handle = to;
    }

    final int cqe() {
        return NativeMemory.getInt(address() + CqLayout.CQE);
    }

    /** Notes that a completion event of this queue was fetched. */
    public void eventFetched() {
        // the driver keeps count itself
    }

    /** Implements {@link CompletionQueue#poll(int, WorkCompletion[])}. */
    public final int poll(int numEntries, WorkCompletion[] wc) {
        if (numEntries < 0 || wc == null || numEntries > wc.length) {
            return -Errno.EINVAL;
        }
        synchronized (lock) {
            int error = awaitTurn();
            if (error != 0) {
                return -error;
            }
            if (pollCq == null) {
                return -Errno.EOPNOTSUPP;
            }
            int room = room(wc, 0, numEntries);
            int taken = kept.take(wc, room);
            int skipped = 0;
            while (taken < numEntries) {
                int ask = room(wc, taken, Math.min(numEntries, taken + BATCH));
                if (ask == 0) { // an element is null: a completion taken now would be lost
                    return taken > 0 ? taken : -Errno.EINVAL;
                }
                int got = (int) pollCq.call(address(), ask, area);
                if (got == -Errno.EINVAL && skipped++ < strangers) {
                    continue;
                }
                if (got < 0) {
                    return taken > 0 ? taken : overrun ? -Errno.EOVERFLOW : -Errno.EIO;
                }
                int before = taken;
                for (int i = 0; i < got; i++) {
                    read(area + (long) i * WcLayout.SIZEOF, wc[taken]);
                    taken += isMarker(wc[taken]) ? 0 : 1;
                }
                if (taken - before < got) {
                    continue; // some were not the program's: there may be more
                }
                if (got == 0 || got < ask && strangers == 0) {
                    break;
                }
            }
            return taken == 0 && numEntries > 0 && overrun ? -Errno.EOVERFLOW : taken;
        }
    }

    /** Waits, with the lock held, until the queue may be polled; returns 0 or an errno. */
    int awaitTurn() {
        return closed ? Errno.EINVAL : 0;
    }

    /**
     * Waits for a limited time, with the lock held, until no thread is reading completions in place.
     *
     * @throws VerbsException {@link Errno#EBUSY} if another thread continues to read, or if this thread is the reader
     */
    void requireUnread(String verb) {}

    /**
     * Prevents reading in place until {@link #release}, for a verb by which the driver changes the queue's contents.
     *
     * @throws VerbsException {@link Errno#EBUSY} if another thread is reading and continues, or if this thread is the
     *     reader
     */
    public void hold(String verb) {}

    /** Ends a {@link #hold}. */
    public void release() {}

    /**
     * Takes one completion, with the lock held or no other thread polling; returns 0, {@link Errno#ENOENT} or a
     * negative number.
     */
    final int takeOne(WorkCompletion to) {
        int got;
        do {
            got = (int) pollCq.call(address(), 1, area);
            if (got == 1) {
                read(area, to);
            }
        } while (got == 1 && isMarker(to));
        return got == 1 ? 0 : got == 0 ? Errno.ENOENT : got;
    }

    private void read(long at, WorkCompletion wc) {
        Completions.read(NativeMemory.piece(at), wc.expect(0), tellsKeysByKernelsFlag);
        if (windows.isUsed()) {
            windows.completed(wc);
        }
        if (countsTaken()) {
            taken(wc.qpNum(), wc.wrId() == 0 && wc.opcode() == WcOpcode.RECV_RDMA_WITH_IMM);
        }
    }

    final boolean isMarker(WorkCompletion wc) {
        return markers.isUsed() && markers.completed(wc.qpNum(), wc.wrId(), wc.status(), wc.opcode());
    }

    /** {@return the object behind a handle, or null if the handle is not the binding's} */
    static IbvCq of(CompletionQueue handle) {
        return handle instanceof NativeCompletionQueue known ? known.ibv : null;
    }

    static int room(WorkCompletion[] wc, int from, int to) {
        int i = from;
        while (i < to && wc[i] != null) {
            i++;
        }
        return i - from;
    }

    final int reqNotify(boolean solicitedOnly) {
        synchronized (lock) {
            if (closed) {
                return Errno.EINVAL;
            }
            return reqNotifyCq == null
                    ? Errno.EOPNOTSUPP
                    : Answers.errno(reqNotifyCq.call(address(), solicitedOnly ? 1 : 0));
        }
    }

    /**
     * Notes an event that reports lost completions: the remaining ones can still be polled, and then every poll reports
     * it.
     */
    public final void overrun() {
        overrun = true;
    }

    /** {@return whether the driver can read the completions} */
    public final boolean isReadable() {
        return pollCq != null;
    }

    /** {@return whether {@link #taken} is called: libefa needs a count of outstanding requests} */
    final boolean countsTaken() {
        return strangers != 0;
    }

    /**
     * Called with the lock held for each completion that the driver delivers, only if the driver is libefa.
     *
     * @param qpNum its queue pair
     * @param perhapsUnsolicited whether it may not have consumed a receive: a write with immediate data and id 0
     */
    protected void taken(int qpNum, boolean perhapsUnsolicited) {}

    /** {@return whether completions were lost} */
    public final boolean isOverrun() {
        return overrun;
    }

    /**
     * Drops the completions of a destroyed queue pair. Some drivers do so themselves; with others they would be seen
     * later, perhaps under the number of a new queue pair.
     */
    public void dropCompletionsOf(IbvQp qp) {
        int qpNum = qp.qpNum();
        synchronized (lock) {
            if (closed || pollCq == null) {
                return;
            }
            markers.forget(qp);
            kept.remove(qpNum);
            keep(wc -> NativeMemory.getInt(wc + WcLayout.QP_NUM) != qpNum);
        }
    }

    /** Drops the kept completions of a work queue; the driver itself removes those that it has. */
    final void forgetKept(int number) {
        synchronized (lock) {
            kept.remove(number);
        }
    }

    /**
     * Takes all completions from the driver and keeps those that match. Bounded, because new ones may arrive as fast as
     * they are taken.
     */
    private void keep(LongPredicate which) {
        int got = BATCH;
        for (int seen = 0; seen <= cqe() && (got == BATCH || got != 0 && strangers != 0); seen += Math.max(got, 1)) {
            got = (int) pollCq.call(address(), BATCH, area);
            for (long wc = area; wc < area + (long) got * WcLayout.SIZEOF; wc += WcLayout.SIZEOF) {
                boolean keeps = which.test(wc);
                if (keeps || windows.isUsed() || countsTaken()) {
                    WorkCompletion one = new WorkCompletion();
                    read(wc, one);
                    if (keeps && !isMarker(one)) {
                        kept.add(one);
                    }
                }
            }
        }
    }

    /**
     * Destroys an XRC shared receive queue, and takes the completions from the driver before and after, while no thread
     * polls. They are kept for the program. Otherwise libmlx5 would attribute them to the next queue, which gets the
     * same index.
     *
     * @param destroy destroys the shared receive queue
     */
    public void takingIn(Runnable destroy) {
        synchronized (lock) {
            if (closed || pollCq == null) {
                destroy.run();
                return;
            }
            keepAll();
            destroy.run();
            keepAll();
        }
    }

    /** One by one: on an error the driver forgets those that it took in the same call. */
    private void keepAll() {
        int taken = 0;
        while (taken <= cqe() && keepOne(kept)) {
            taken++;
        }
    }

    /** Takes one completion and keeps it, unless it is of a destroyed object; returns false if there is none. */
    boolean keepOne(KeptCompletions to) {
        WorkCompletion one = new WorkCompletion();
        int answer = takeOne(one);
        if (answer == 0) {
            to.add(one);
        }
        return answer != Errno.ENOENT;
    }

    /** Reports all present completions to the book of windows, and keeps them for the program. */
    final void tellWindows() {
        synchronized (lock) {
            if (!closed && pollCq != null && kept.size() <= cqe()) {
                keep(wc -> true);
            }
        }
    }

    /**
     * Checks, without other threads' polls, whether the marker of a queue pair has completed. Other completions are
     * kept for the program. Does nothing while a thread is reading completions in place.
     */
    public void lookForMarker(int qpNum) {
        tellWindows();
    }

    /** Changes the size. */
    public void changeSize(int cqe) {
        synchronized (lock) {
            requireUnread("resize_cq");
            Answers.check("resize_cq", Libibverbs.ibv_resize_cq(address(), cqe));
            resized(cqe());
        }
    }

    /** Updates the size that the handle reports. */
    protected final void resized(int cqe) {
        handle.accept(cqe);
    }

    /** Destroys the queue; if that fails, it stays as it was. */
    public void destroy() {
        synchronized (lock) {
            requireUnread("destroy_cq");
            Answers.check("destroy_cq", Libibverbs.ibv_destroy_cq(address()));
            closed = true;
            NativeMemory.free(area);
            area = 0;
            kept.clear();
        }
    }
}
