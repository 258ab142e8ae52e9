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
import java.util.function.IntConsumer;
import java.util.function.LongPredicate;

/**
 * A {@code struct ibv_cq}, and polling it. A poll is one call of the driver for up to 32 completions, into memory of the queue's
 * own.
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

    /** The completions that are not the program's. */
    public final SendMarkers markers = new SendMarkers();

    private IntConsumer handle;
    private volatile boolean overrun;
    private long area;
    boolean closed; // guarded by the lock

    /** Of a {@code struct ibv_cq}. */
    public IbvCq(long address, ContextFunctions functions, WindowBook windows) {
        this(address, functions, windows, true);
    }

    /**
     * Of a {@code struct ibv_cq}.
     *
     * @param readable whether the driver can read the completions; else whoever else can has to
     */
    public IbvCq(long address, ContextFunctions functions, WindowBook windows, boolean readable) {
        super(address);
        this.windows = windows;
        this.tellsKeysByKernelsFlag = functions.tellsKeysByKernelsFlag();
        this.strangers = functions.mostStrangers();
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

    /** Takes note that a completion event of this queue was fetched. */
    public void eventFetched() {
        // the driver keeps count itself
    }

    /** {@link CompletionQueue#poll(int, WorkCompletion[])}. */
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
                if (ask == 0) { // an element is null: nothing may be taken that could not be told
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
                    continue; // one of them is not the program's: there may be more
                }
                if (got == 0 || got < ask && strangers == 0) {
                    break;
                }
            }
            return taken == 0 && numEntries > 0 && overrun ? -Errno.EOVERFLOW : taken;
        }
    }

    /** Waits, with the lock, until the queue may be polled; 0 or an errno. */
    int awaitTurn() {
        return closed ? Errno.EINVAL : 0;
    }

    /**
     * Waits, with the lock, until nobody is in the midst of reading completions; not for ever.
     *
     * @throws VerbsException {@link Errno#EBUSY} where somebody goes on, or it is this thread
     */
    void requireUnread(String verb) {}

    /**
     * Keeps completions from being read one by one till {@link #release}, for a verb by which the driver changes what is in the queue.
     *
     * @throws VerbsException {@link Errno#EBUSY} where somebody is in the midst of that and goes on, or it is this thread
     */
    public void hold(String verb) {}

    /** Ends a {@link #hold}. */
    public void release() {}

    /** Takes one completion, with the lock or while nobody else polls: 0, {@link Errno#ENOENT}, or below 0. */
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

    /** Of a handle; null where it is none of the binding's. */
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

    /** Takes note of an event that said that completions were lost: what is there can be taken, then every poll tells it. */
    public final void overrun() {
        overrun = true;
    }

    /** Whether the driver can read the completions. */
    public final boolean isReadable() {
        return pollCq != null;
    }

    /** Whether {@link #taken} is called: libefa needs the count of what is outstanding. */
    final boolean countsTaken() {
        return strangers != 0;
    }

    /**
     * The driver has given a completion. Called with the lock, once for each completion, and only where the driver is
     * libefa.
     *
     * @param qpNum its queue pair
     * @param perhapsUnsolicited whether it may have taken no receive: it is a write's with immediate data, of id 0
     */
    protected void taken(int qpNum, boolean perhapsUnsolicited) {}

    /** Whether completions were lost. */
    public final boolean isOverrun() {
        return overrun;
    }

    /**
     * Drops what a queue pair that was destroyed has left here. Some drivers do so themselves; of others its completions would be
     * seen later, perhaps under the number of its successor.
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

    /** Drops what is kept of a work queue, whose completions the driver takes out itself. */
    final void forgetKept(int number) {
        synchronized (lock) {
            kept.remove(number);
        }
    }

    /** Takes all that is there from the driver and keeps what is to be kept. Others may come as fast as they are taken. */
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
     * Destroys a shared receive queue of type XRC, and takes completions from the driver before and after it, while nobody
     * polls. They are kept for the program. libmlx5 would take them for completions of the next queue, which gets the same
     * index.
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

    /** One by one: by an error the driver forgets those that it took in the same call. */
    private void keepAll() {
        int taken = 0;
        while (taken <= cqe() && keepOne(kept)) {
            taken++;
        }
    }

    /** Takes one from the driver and keeps it, unless it is of something that is gone; false where there is none. */
    boolean keepOne(KeptCompletions to) {
        WorkCompletion one = new WorkCompletion();
        int answer = takeOne(one);
        if (answer == 0) {
            to.add(one);
        }
        return answer != Errno.ENOENT;
    }

    /** Has the book of windows know what all completions tell that are there. They are kept, for the program. */
    final void tellWindows() {
        synchronized (lock) {
            if (!closed && pollCq != null && kept.size() <= cqe()) {
                keep(wc -> true);
            }
        }
    }

    /**
     * Looks whether the marker of a queue pair has completed, without anybody else's polling. What else there is stays
     * for the program. Does nothing while somebody is in the midst of reading completions.
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

    /** Has the handle tell another size. */
    protected final void resized(int cqe) {
        handle.accept(cqe);
    }

    /** Destroys the queue; it stays as it was where that fails. */
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
