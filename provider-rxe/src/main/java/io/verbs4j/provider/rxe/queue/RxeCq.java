/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.lock.Nap;
import io.verbs4j.provider.rxe.flight.FlightRecording;
import java.util.function.IntConsumer;

/**
 * A completion queue of the embedded device: a ring of completions under a lock of its own.
 *
 * <p>A poll that finds nothing first makes the device look for packets, so that a program that polls needs no other
 * thread.
 *
 * <p>While one thread reads completions in place, other readers wait for it, without the lock: the device keeps adding
 * completions. They do not wait for a dead thread, and never longer than a second.
 */
// Longer than 500 lines because adding, polling and reading in place share a ring and its lock, and each must know who
// reads.
public final class RxeCq {
    private static final int NOT_ARMED = 0;
    private static final int ARMED_SOLICITED = 1;
    private static final int ARMED = 2;

    /** How long a thread waits for another one that reads, before it fails with EBUSY. */
    private static final long PATIENCE_NANOS = 1_000_000_000;

    private static final long NAP_NANOS = 20_000;

    private final CompletionQueue handle;
    private final EventQueue<CompletionQueue> events;
    private final CqHost host;
    private final OverrunHandler overrunHandler;
    private final IntConsumer resized;
    private final CqOptions options;
    private final CompletionRing ring;
    private final Moderation moderation;
    private final CompletionWaits waits = new CompletionWaits();
    private int armed;
    private volatile boolean overrun;
    private volatile boolean closed;

    /** The thread that reads completions in place, or null. Written under the lock. */
    private volatile Thread reader;

    /** The completion that it reads now, or null. Owned by that thread. */
    private WorkCompletion current;

    /**
     * Creates a queue.
     *
     * @param handle handle that its events name
     * @param events the events of its channel, or null if it has none
     * @param resized receives each new size
     */
    RxeCq(
            CompletionQueue handle,
            int cqe,
            EventQueue<CompletionQueue> events,
            CqHost host,
            OverrunHandler overrunHandler,
            IntConsumer resized,
            CqOptions options) {
        this.handle = handle;
        this.events = events;
        this.resized = resized;
        this.host = host;
        this.overrunHandler = overrunHandler;
        this.options = options;
        this.ring = new CompletionRing(cqe);
        this.moderation = new Moderation(host);
        if (events != null) {
            events.reserve(1);
        }
    }

    // ---- polling

    /** Implements {@link CompletionQueue#poll(int, WorkCompletion[])}. */
    public int poll(int numEntries, WorkCompletion[] wc) {
        return poll(numEntries, wc, 0);
    }

    /** Returns whether the queue is closed. */
    public boolean isClosed() {
        return closed;
    }

    /** Returns the number of completions that wait to be polled. */
    public int waiting() {
        synchronized (this) {
            return ring.count();
        }
    }

    /** Implements {@code CompletionQueue.pollEx}. */
    int poll(int numEntries, WorkCompletion[] wc, int wcSize) {
        if (numEntries < 0 || wc == null || numEntries > wc.length || closed) {
            return -Errno.EINVAL;
        }
        if (isEmpty()) {
            host.poll();
            if (isEmpty()) {
                return overrun ? -Errno.EOVERFLOW : 0;
            }
        }
        long since = 0;
        while (true) {
            synchronized (this) {
                if (isFree()) {
                    return take(numEntries, wc, wcSize);
                }
            }
            if (isMine()) {
                return -Errno.EBUSY;
            }
            since = since == 0 ? System.nanoTime() | 1 : since;
            if (numEntries == 0) {
                return 0;
            }
            if (!nap(since)) {
                return -Errno.EBUSY;
            }
        }
    }

    /**
     * Returns whether a poll finds nothing. While a thread reads in place, the count does not tell: it may be 0 when a
     * full ring has dropped its first entry and not yet added another.
     */
    private boolean isEmpty() {
        return ring.count() == 0 && reader == null;
    }

    private int take(int numEntries, WorkCompletion[] wc, int wcSize) {
        int n = Math.min(numEntries, ring.count());
        for (int i = 0; i < n; i++) {
            WorkCompletion to = wc[i];
            if (to == null) {
                return i == 0 ? -Errno.EINVAL : i;
            }
            copy(ring.first(), to);
            to.expect(wcSize);
            if (wcSize > 0 && options.hasMore()) {
                copyMore(ring.first(), to);
            }
            ring.takeFirst();
        }
        return n;
    }

    /** Waits briefly for the thread that reads; returns false if that has taken too long. */
    private boolean nap(long since) {
        if (System.nanoTime() - since > PATIENCE_NANOS) {
            return false;
        }
        Nap.nanos(this, NAP_NANOS);
        return true;
    }

    // ---- reading completions in place

    /** Implements {@link CompletionQueue#startPoll}. */
    int startPoll(PollCqAttr attr) {
        if (attr != null && !attr.hasOnly(0, 0)) {
            return Errno.EOPNOTSUPP;
        }
        if (isMine()) {
            return Errno.EBUSY;
        }
        if (ring.count() == 0 && !closed) {
            host.poll();
        }
        long since = 0;
        while (true) {
            synchronized (this) {
                if (closed) {
                    return Errno.EINVAL;
                }
                if (isFree()) {
                    return begin();
                }
            }
            since = since == 0 ? System.nanoTime() | 1 : since;
            if (!nap(since)) {
                return Errno.EBUSY;
            }
        }
    }

    private int begin() {
        WorkCompletion first = ring.readNext();
        if (first == null) {
            return overrun ? Errno.EOVERFLOW : Errno.ENOENT;
        }
        current = first;
        reader = Thread.currentThread();
        return 0;
    }

    /** Implements {@link CompletionQueue#nextPoll}. */
    int nextPoll() {
        if (!isMine()) {
            return Errno.EINVAL;
        }
        synchronized (this) {
            current = ring.readNext();
        }
        return current == null ? Errno.ENOENT : 0;
    }

    /** Implements {@link CompletionQueue#endPoll}. */
    int endPoll() {
        if (!isMine()) {
            return Errno.EINVAL;
        }
        synchronized (this) {
            end();
        }
        return 0;
    }

    private void end() {
        ring.giveBack();
        current = null;
        reader = null;
    }

    /** Returns whether no thread reads; if the reading thread has died, ends its reading. The caller holds the lock. */
    private boolean isFree() {
        Thread r = reader;
        if (r != null && !options.singleThreaded() && !r.isAlive()) {
            end();
            return true;
        }
        return r == null;
    }

    /** Returns whether the calling thread reads; in a single-threaded queue any thread counts as the reader. */
    private boolean isMine() {
        Thread r = reader;
        return r != null && (options.singleThreaded() || r == Thread.currentThread());
    }

    /** Returns the completion that is read now; throws if there is none. */
    WorkCompletion current() {
        WorkCompletion c = isMine() ? current : null;
        if (c == null) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "start_poll",
                    "this thread has no current completion; it has one after startPoll or nextPoll returns 0");
        }
        return c;
    }

    // ---- adding

    /** Implements {@link CompletionQueue#reqNotify}. */
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
     * @param owner receiving queue pair, or shared receive queue of type XRC or TM
     * @param solicited whether the sender requested an event
     * @return false if it was lost
     */
    public boolean push(WorkCompletion entry, Object owner, boolean solicited) {
        WorkCompletion added;
        boolean event = false;
        synchronized (this) {
            added = add(owner, 0);
            if (added != null) {
                copy(entry, added);
                event = isDue(added, solicited);
                if (options.tmInfo()) {
                    copyTag(entry, added);
                }
            }
        }
        tell(event, added == null);
        return added != null;
    }

    /**
     * Adds the completion of a send work request, like {@link #push}, but writes it directly to its entry.
     *
     * @param wrId the program's id of the request
     * @param status a {@link WcStatus} value
     * @param opcode a {@link io.verbs4j.WcOpcode} value
     * @param byteLen number of bytes transferred
     * @param qpNum number of the queue pair
     * @param wcFlags flags of the completion
     * @param invalidatedRkey the key that was invalidated, or 0
     * @param owner send queue, whose {@link SendQueue#done} counts the request
     */
    public void pushSend(
            long wrId,
            int status,
            int opcode,
            int byteLen,
            int qpNum,
            int wcFlags,
            int invalidatedRkey,
            SendQueue owner) {
        WorkCompletion added;
        boolean event = false;
        synchronized (this) {
            added = add(owner, owner.done());
            if (added != null) {
                added.wrId(wrId)
                        .status(status)
                        .opcode(opcode)
                        .vendorErr(0)
                        .byteLen(byteLen)
                        .immData(invalidatedRkey) // shares a word with immediate data, which sends don't have
                        .qpNum(qpNum)
                        .srcQp(0)
                        .wcFlags(wcFlags)
                        .pkeyIndex(0)
                        .slid(0)
                        .sl(0)
                        .dlidPathBits(0);
                event = isDue(added, false);
            }
        }
        tell(event, added == null);
    }

    /** Adds an entry for the caller to fill; returns null if there is no room. The caller holds the lock. */
    private WorkCompletion add(Object owner, long place) {
        if (options.ignoreOverrun() && ring.isFull()) {
            ring.dropFirst();
        }
        return ring.isFull() || overrun ? null : ring.add(owner, place);
    }

    /** Handles a filled entry; returns whether an event is due. The caller holds the lock. */
    private boolean isDue(WorkCompletion added, boolean solicited) {
        if (options.hasMore()) {
            stamp(added);
        }
        waits.added();
        if (added.status() != WcStatus.SUCCESS) {
            FlightRecording.failed(handle, added);
        }
        return armed != NOT_ARMED
                && (armed == ARMED || solicited || added.status() != WcStatus.SUCCESS)
                && moderation.isDue()
                && disarm();
    }

    /** Delivers an event, or reports a lost completion. The lock is not held. */
    private void tell(boolean event, boolean lost) {
        if (event) {
            events.add(handle);
        }
        if (lost && !overrun) {
            overrun = true;
            synchronized (this) {
                waits.lost();
            }
            FlightRecording.overrun(handle);
            overrunHandler.overrun(this);
        }
    }

    private boolean disarm() {
        armed = NOT_ARMED;
        return events != null && !closed;
    }

    private void stamp(WorkCompletion added) {
        added.expect(WorkCompletion.SIZE);
        if (added.status() == WcStatus.SUCCESS) {
            if (options.ticks() != null) {
                added.completionTs(options.ticks().ticks());
            }
            if (options.wall() != null) {
                added.completionWallclockNs(options.wall().now());
            }
        }
    }

    private static void copyTag(WorkCompletion from, WorkCompletion to) {
        if ((from.compMask() & 1L << WorkCompletion.TM_TAG) != 0) {
            to.tmTag(from.tmTag()).tmPriv(from.tmPriv());
        }
    }

    private static void copyMore(WorkCompletion from, WorkCompletion to) {
        copyTag(from, to);
        if ((from.compMask() & 1L << WorkCompletion.COMPLETION_TS) != 0) {
            to.completionTs(from.completionTs());
        }
        if ((from.compMask() & 1L << WorkCompletion.COMPLETION_WALLCLOCK_NS) != 0) {
            to.completionWallclockNs(from.completionWallclockNs());
        }
    }

    // ---- event moderation

    /**
     * Sets the moderation of events, by a number of completions and by a time; two zeros turn it off. A delayed event
     * that is due then is raised now.
     */
    public void moderate(int completions, long periodNanos) {
        boolean event;
        synchronized (this) {
            event = moderation.set(completions, periodNanos) && armed != NOT_ARMED && disarm();
        }
        host.watch(this, periodNanos != 0);
        if (event) {
            events.add(handle);
        }
    }

    /** {@return the time at which {@link #onTimer} has something to do} */
    public long deadline() {
        return moderation.deadline();
    }

    /** Raises an event that was delayed long enough. */
    public void onTimer(long now) {
        boolean event;
        synchronized (this) {
            event = moderation.isDue(now) && armed != NOT_ARMED && disarm();
        }
        if (event) {
            events.add(handle);
        }
    }

    // ---- waiting send queues

    /** Returns whether the queue belongs to a device and is open. */
    public boolean isOn(CqHost device) {
        return host == device && !closed;
    }

    /**
     * Posts a request that waits for some number of completions; returns the count to wait for, or -1 if the queue is
     * closed.
     */
    synchronized long postWait(int completions) {
        return closed ? -1 : waits.post(completions);
    }

    /** Ends a request that waits. */
    synchronized void endWait(CompletionWaits.Waiter waiter) {
        waits.end(waiter);
    }

    /**
     * Checks whether the completions that a request waits for have come; returns a status, or
     * {@link CrossRequest#WAITS}.
     */
    synchronized int await(long target, CompletionWaits.Waiter waiter) {
        if (waits.isReached(target, waiter)) {
            return WcStatus.SUCCESS;
        }
        return overrun ? WcStatus.LOC_QP_OP_ERR : CrossRequest.WAITS;
    }

    private void requireNotAwaited() {
        if (!waits.isEmpty()) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "destroy_cq",
                    "send queues hold requests that wait for the queue (CQE_WAIT); reset or close their queue pairs"
                            + " first");
        }
    }

    // ---- other

    /** {@return the program's handle} */
    public CompletionQueue handle() {
        return handle;
    }

    /** Drops the completions of an owner. */
    public synchronized void purge(Object owner) {
        ring.purge(owner);
    }

    /** Drops the completions of an empty send queue and frees all of its places. The caller holds its send lock. */
    public synchronized void purge(SendQueue owner) {
        ring.purge(owner);
        owner.freeAll();
    }

    /**
     * Returns how many requests of a send queue have given back their places, because their completions or later ones
     * were polled.
     */
    public synchronized long polled(SendQueue owner) {
        return owner.polled();
    }

    /** Changes the size. */
    public synchronized void changeSize(int cqe) {
        requireNotRead("resize_cq");
        if (cqe < ring.count()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "resize_cq",
                    ring.count() + " completions are in the queue, more than " + cqe + "; poll first");
        }
        ring.changeSize(cqe);
        resized.accept(cqe);
    }

    private void requireNotRead(String verb) {
        if (!isFree()) {
            throw new VerbsException(
                    Errno.EBUSY, verb, "a thread is polling the queue's completions; it must call endPoll first");
        }
    }

    /** Ends the queue: polls fail with EINVAL, and its events are dropped. */
    public void destroy() {
        synchronized (this) {
            requireNotRead("destroy_cq");
            requireNotAwaited();
            closed = true;
            armed = NOT_ARMED;
        }
        host.watch(this, false);
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

    /** Notified when completions were lost. */
    public interface OverrunHandler {
        /** Handles the loss. May be called with locks held: must not do more than take note. */
        void overrun(RxeCq cq);
    }
}
