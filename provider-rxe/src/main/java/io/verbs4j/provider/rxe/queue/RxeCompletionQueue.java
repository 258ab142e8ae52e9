/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import java.util.function.IntConsumer;

/**
 * A completion queue of the embedded device: a ring of completions under a lock of its own.
 *
 * <p>A poll that finds nothing first lets the device look for packets, so that a program that polls needs no other thread.
 */
public final class RxeCompletionQueue {
    private static final int NOT_ARMED = 0;
    private static final int ARMED_SOLICITED = 1;
    private static final int ARMED = 2;

    private final CompletionQueue handle;
    private final EventQueue<CompletionQueue> events;
    private final Progress progress;
    private final OverrunHandler overrunHandler;
    private final IntConsumer resized;
    private WorkCompletion[] ring;
    private Object[] owners;
    private volatile int count;
    private int head;
    private int armed;
    private volatile boolean overrun;
    private volatile boolean closed;

    /**
     * Makes a queue.
     *
     * @param handle what events are about
     * @param events of its channel; null where it has none
     * @param resized is told a new size
     */
    RxeCompletionQueue(
            CompletionQueue handle,
            int cqe,
            EventQueue<CompletionQueue> events,
            Progress progress,
            OverrunHandler overrunHandler,
            IntConsumer resized) {
        this.handle = handle;
        this.events = events;
        this.resized = resized;
        this.progress = progress;
        this.overrunHandler = overrunHandler;
        this.ring = makeRing(cqe);
        this.owners = new Object[cqe];
        if (events != null) {
            events.reserve(1);
        }
    }

    private static WorkCompletion[] makeRing(int cqe) {
        WorkCompletion[] r = new WorkCompletion[cqe];
        for (int i = 0; i < cqe; i++) {
            r[i] = new WorkCompletion();
        }
        return r;
    }

    /** As {@link CompletionQueue#poll}. */
    public int poll(int numEntries, WorkCompletion[] wc) {
        if (numEntries < 0 || wc == null || numEntries > wc.length || closed) {
            return -Errno.EINVAL;
        }
        if (count == 0) {
            progress.poll();
            if (count == 0) {
                return overrun ? -Errno.EOVERFLOW : 0;
            }
        }
        synchronized (this) {
            int n = Math.min(numEntries, count);
            for (int i = 0; i < n; i++) {
                if (wc[i] == null) {
                    return i == 0 ? -Errno.EINVAL : i;
                }
                copy(ring[head], wc[i]);
                owners[head] = null;
                head = head + 1 == ring.length ? 0 : head + 1;
                count--;
            }
            return n;
        }
    }

    /** As {@link CompletionQueue#reqNotify}. */
    public int reqNotify(boolean solicitedOnly) {
        if (closed) {
            return Errno.EINVAL;
        }
        synchronized (this) {
            armed = Math.max(armed, solicitedOnly ? ARMED_SOLICITED : ARMED);
        }
        return 0;
    }

    /**
     * Adds a completion.
     *
     * @param entry completion to copy
     * @param owner queue pair that it is of, or shared receive queue of type XRC
     * @param solicited whether the sender asked for an event
     * @return false where it was lost
     */
    public boolean push(WorkCompletion entry, Object owner, boolean solicited) {
        boolean full;
        boolean event = false;
        synchronized (this) {
            full = count == ring.length || overrun;
            if (!full) {
                int tail = head + count;
                tail = tail >= ring.length ? tail - ring.length : tail;
                copy(entry, ring[tail]);
                owners[tail] = owner;
                count++;
                boolean counts = solicited || entry.status() != WcStatus.SUCCESS;
                if (armed == ARMED || armed == ARMED_SOLICITED && counts) {
                    armed = NOT_ARMED;
                    event = events != null && !closed;
                }
            }
        }
        if (event) {
            events.add(handle);
        }
        if (full && !overrun) {
            overrun = true;
            overrunHandler.overrun(this);
        }
        return !full;
    }

    /** What programs have of it. */
    public CompletionQueue handle() {
        return handle;
    }

    /** Drops the completions of an owner. */
    public synchronized void purge(Object owner) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int from = (head + i) % ring.length;
            if (owners[from] != owner) {
                int to = (head + kept++) % ring.length;
                WorkCompletion swapped = ring[to];
                ring[to] = ring[from];
                owners[to] = owners[from];
                ring[from] = swapped;
            }
        }
        for (int i = kept; i < count; i++) {
            owners[(head + i) % ring.length] = null;
        }
        count = kept;
    }

    /** Changes the size. */
    public synchronized void changeSize(int cqe) {
        if (cqe < count) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "resize_cq",
                    count + " completions are in the queue, more than " + cqe + "; poll first");
        }
        WorkCompletion[] newRing = makeRing(cqe);
        Object[] newOwners = new Object[cqe];
        for (int i = 0; i < count; i++) {
            copy(ring[(head + i) % ring.length], newRing[i]);
            newOwners[i] = owners[(head + i) % ring.length];
        }
        ring = newRing;
        owners = newOwners;
        head = 0;
        resized.accept(cqe);
    }

    /** Ends the queue: polls answer EINVAL, its events are dropped. */
    public void destroy() {
        synchronized (this) {
            closed = true;
            armed = NOT_ARMED;
        }
        if (events != null) {
            events.removeIf(cq -> cq == handle);
            events.reserve(-1);
        }
    }

    private static void copy(WorkCompletion from, WorkCompletion to) {
        to.wrId(from.wrId())
                .status(from.status())
                .opcode(from.opcode())
                .vendorErr(from.vendorErr())
                .byteLen(from.byteLen())
                .immData(from.immData())
                .qpNum(from.qpNum())
                .srcQp(from.srcQp())
                .wcFlags(from.wcFlags())
                .pkeyIndex(from.pkeyIndex())
                .slid(from.slid())
                .sl(from.sl())
                .dlidPathBits(from.dlidPathBits());
    }

    /** Lets the device look for packets. */
    public interface Progress {
        /** Looks, without waiting; does nothing where another thread does. */
        void poll();
    }

    /** Is told that completions were lost. */
    public interface OverrunHandler {
        /** May be called with locks held: must only take note. */
        void overrun(RxeCompletionQueue cq);
    }
}
