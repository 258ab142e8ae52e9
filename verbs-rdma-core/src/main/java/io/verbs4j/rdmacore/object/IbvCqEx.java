/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.call.ContextFunctions;
import io.verbs4j.rdmacore.marshal.Completions;
import io.verbs4j.rdmacore.quirk.Quirks;
import io.verbs4j.rdmacore.quirk.TickClock;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * A {@code struct ibv_cq_ex}, whose completions are read in place by the driver's functions.
 *
 * <p>From start to end the driver holds a lock, for which other threads spin: those that poll, and those that destroy a
 * queue pair, even if the reading thread itself does so. This class keeps threads from reaching that lock. A thread
 * that polls, closes or resizes the queue, or destroys or resets a queue pair, waits for the reading thread for a while
 * and then fails with EBUSY; the reading thread itself fails at once. If a thread dies while it reads, the next one
 * ends its reading.
 *
 * <p>librxe's functions cannot be used, see {@link Quirks#endsReadingTwice}. It has no time stamps either, so
 * {@code poll_cq} returns everything that they would.
 *
 * <p>With {@link io.verbs4j.CqCreateFlags#SINGLE_THREADED} the driver has no lock. The lock of this class remains: it
 * adds some nanoseconds to a start, a step and an end, none to reading fields, and without it a program that breaks its
 * promise would crash the JVM. Any thread may continue what another has started.
 */
// Longer than 500 lines because the lock that keeps threads from the spinning lock of the driver is part of every way
// to read the queue.
public class IbvCqEx extends IbvCq implements CqReader {
    private final CqExFunctions c;
    private final ReadingTurn turn;
    private final boolean oneThread;

    /** The tag lists whose buffers complete here; replaced, never modified; null before the first. */
    private volatile TagBook[] books;

    /**
     * The completion that {@code poll_cq} fills, one at a time, if the driver's functions cannot be used; otherwise
     * null.
     */
    private final WorkCompletion polled;

    // used by the reading thread
    private boolean started; // whether the driver is reading
    private boolean current; // whether the driver has a current completion
    private WorkCompletion keptNow; // the current completion if it was kept, or null

    /**
     * Creates the object for a {@code struct ibv_cq_ex} that was created with {@link #flagsFor}.
     *
     * @param wcFlags requested fields, {@link io.verbs4j.WcExFlags} bits
     * @param windows receives completions
     * @param clock converts ticks to time; null if the driver does
     * @param oneThread whether the program promises that no two threads use the queue at the same time
     */
    public IbvCqEx(
            long address,
            ContextFunctions functions,
            Quirks quirks,
            WindowBook windows,
            long wcFlags,
            TickClock clock,
            boolean oneThread) {
        super(address, functions, quirks, windows);
        this.oneThread = oneThread;
        turn = new ReadingTurn(this::pass, this::finish, oneThread);
        c = new CqExFunctions(address, wcFlags, clock, quirks.mostStrangers());
        polled = quirks.endsReadingTwice() && !c.hasMore() ? new WorkCompletion() : null;
    }

    /** {@return the fields to request from the driver, {@link io.verbs4j.WcExFlags} bits} */
    public static long flagsFor(long wanted, boolean ownClock) {
        return CqExFunctions.flagsFor(wanted, ownClock);
    }

    // ---- the reading turn

    /** Releases the lock to other threads for a moment. */
    @SuppressWarnings("WaitNotInLoop") // the loop is in ReadingTurn
    private void pass(int round) {
        boolean interrupted = Thread.interrupted(); // restored below: an interrupt must not end the wait
        try {
            lock.wait(1);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    int awaitTurn() {
        return awaitTurn(false);
    }

    /** As {@link #awaitTurn()}; with {@code alone}, no thread may hold the queue either. */
    private int awaitTurn(boolean alone) {
        return turn.await(alone) ? super.awaitTurn() : Errno.EBUSY;
    }

    @Override
    void requireUnread(String verb) {
        turn.requireUnread(verb);
    }

    @Override
    public void hold(String verb) {
        synchronized (lock) {
            turn.hold(verb);
        }
    }

    @Override
    public void release() {
        synchronized (lock) {
            turn.release();
            lock.notifyAll();
        }
    }

    // ---- reading in place

    @Override
    public int startPoll(PollCqAttr attr) {
        if (attr != null && !attr.hasOnly(0, 0)) {
            return Errno.EOPNOTSUPP;
        }
        synchronized (lock) {
            int error = awaitTurn(true);
            if (error == 0) {
                error = take();
            }
            if (error == 0) {
                turn.start();
                return 0;
            }
            if (started) { // there were only markers
                c.end();
                started = false;
            }
            return error == Errno.ENOENT && isOverrun() ? Errno.EOVERFLOW : error;
        }
    }

    /**
     * Makes the next completion current, a kept one or the driver's. If there was none before, reading starts again:
     * next_poll needs a current completion, and libefa crashes the process without one.
     */
    private int take() {
        if (started && !current) {
            c.end();
            started = false;
        }
        keptNow = started ? null : kept.next();
        if (keptNow != null) {
            return 0;
        }
        if (polled != null) {
            int answer = takeOne(polled);
            keptNow = answer == 0 ? polled : null;
            return told(answer);
        }
        int answer;
        do {
            answer = started ? c.next() : c.start();
            current = answer == 0;
            started |= current;
            if (current) {
                tellTaken();
            }
        } while (current && isMarkerNow());
        return told(answer);
    }

    private boolean isMarkerNow() {
        if (!markers.isUsed()) {
            return false;
        }
        int status = c.status();
        return markers.completed(c.qpNum(), c.wrId(), status, status == WcStatus.SUCCESS ? c.opcode() : 0);
    }

    /** Reports completed messages to a tag list until {@link #forgetTags(TagBook)}. */
    void tellTags(TagBook book) {
        synchronized (lock) {
            TagBook[] more = books == null ? new TagBook[1] : Arrays.copyOf(books, books.length + 1);
            more[more.length - 1] = book;
            books = more;
        }
    }

    /** Ends {@link #tellTags(TagBook)}. */
    void forgetTags(TagBook book) {
        synchronized (lock) {
            books = Arrays.stream(books).filter(b -> b != book).toArray(TagBook[]::new);
        }
    }

    private void tellTags() {
        int status = c.status();
        boolean over = status != WcStatus.SUCCESS
                || c.opcode() == WcOpcode.TM_RECV && (c.wcFlags() & WcFlags.TM_DATA_VALID) != 0;
        TagBook[] all = books;
        for (int i = 0; over && all != null && i < all.length; i++) {
            all[i].completed(c.wrId());
        }
    }

    private void tellTaken() {
        if (c.matchesTags()) {
            tellTags();
        }
        if (windows.isUsed()) {
            int status = c.status();
            windows.completed(c.qpNum(), c.wrId(), status, status == WcStatus.SUCCESS ? c.opcode() : 0);
        }
        if (countsTaken()) {
            taken(c.qpNum(), c.wrId() == 0 && c.opcode() == WcOpcode.RECV_RDMA_WITH_IMM);
        }
    }

    private int told(int answer) {
        if (answer == 0 || answer == Errno.ENOENT) {
            return answer;
        }
        return isOverrun() ? Errno.EOVERFLOW : Errno.EIO;
    }

    /**
     * {@return whether the calling thread is reading and the current completion is the driver's, so that vendor
     * functions can read it}
     */
    public boolean isReadFromDriver() {
        return turn.isMine() && current && keptNow == null;
    }

    @Override
    public int nextPoll() {
        if (oneThread) {
            synchronized (lock) {
                return turn.isMine() ? take() : Errno.EINVAL;
            }
        }
        return turn.isMine() ? take() : Errno.EINVAL;
    }

    @Override
    public int endPoll() {
        if (!turn.isMine()) {
            return Errno.EINVAL;
        }
        synchronized (lock) {
            if (!turn.isMine()) {
                return Errno.EINVAL; // another thread has ended it meanwhile
            }
            turn.end();
        }
        return 0;
    }

    private void finish() {
        if (started) {
            c.end();
        }
        started = false;
        current = false;
        keptNow = null;
        lock.notifyAll(); // they get the lock only when this thread has ended its turn
    }

    // ---- polling with the fields of reading in place

    @Override
    public int poll(int numEntries, WorkCompletion[] wc, int wcSize) {
        if (!c.hasMore()) {
            return -Errno.EOPNOTSUPP; // the other poll returns all fields, and is faster
        }
        if (numEntries < 0 || wc == null || numEntries > wc.length) {
            return -Errno.EINVAL;
        }
        synchronized (lock) {
            int error = awaitTurn(true);
            int room = room(wc, 0, numEntries);
            if (error != 0 || room == 0) {
                return error != 0 ? -error : numEntries == 0 ? 0 : -Errno.EINVAL;
            }
            int taken = 0;
            for (WorkCompletion old; taken < room && (old = kept.next()) != null; taken++) {
                copy(old, wc[taken].expect(wcSize));
            }
            int answer = taken == room ? Errno.ENOENT : c.start();
            if (answer == 0) {
                do {
                    c.read(wc[taken].expect(wcSize));
                    tellTaken();
                    taken += isMarkerNow() ? 0 : 1;
                } while (taken < room && (answer = c.next()) == 0);
                c.end();
            }
            if (taken > 0) {
                return taken;
            }
            return isOverrun() ? -Errno.EOVERFLOW : answer == Errno.ENOENT ? 0 : -told(answer);
        }
    }

    private static void copy(WorkCompletion from, WorkCompletion to) {
        Completions.copy(from, to);
        if ((from.compMask() & 1L << WorkCompletion.COMPLETION_TS) != 0) {
            to.completionTs(from.completionTs());
        }
        if ((from.compMask() & 1L << WorkCompletion.COMPLETION_WALLCLOCK_NS) != 0) {
            to.completionWallclockNs(from.completionWallclockNs());
        }
        if ((from.compMask() & 1L << WorkCompletion.CVLAN) != 0) {
            to.cvlan(from.cvlan());
        }
        if ((from.compMask() & 1L << WorkCompletion.FLOW_TAG) != 0) {
            to.flowTag(from.flowTag());
        }
        if ((from.compMask() & 1L << WorkCompletion.TM_TAG) != 0) {
            to.tmTag(from.tmTag()).tmPriv(from.tmPriv());
        }
    }

    @Override
    boolean keepOne(KeptCompletions to) {
        if (!c.hasMore()) {
            return super.keepOne(to);
        }
        int answer = c.start();
        if (answer == 0) {
            WorkCompletion one = c.read(new WorkCompletion());
            tellTaken();
            if (!isMarker(one)) {
                to.add(one);
            }
            c.end();
        }
        return answer != Errno.ENOENT;
    }

    /** As without time stamps; keeps those of the other completions. */
    @Override
    public void dropCompletionsOf(IbvQp qp) {
        if (!c.hasMore()) {
            super.dropCompletionsOf(qp);
            return;
        }
        int qpNum = qp.qpNum();
        synchronized (lock) {
            if (closed) {
                return;
            }
            markers.forget(qp);
            kept.remove(qpNum);
            keepStamped(wc -> wc.qpNum() != qpNum);
        }
    }

    private void keepStamped(Predicate<WorkCompletion> which) {
        if (c.start() == 0) {
            int seen = 0;
            do {
                WorkCompletion wc = c.read(new WorkCompletion());
                tellTaken();
                if (which.test(wc) && !isMarker(wc)) {
                    kept.add(wc);
                }
            } while (++seen <= cqe() && c.next() == 0);
            c.end();
        }
    }

    @Override
    public void lookForMarker(int qpNum) {
        synchronized (lock) {
            if (closed || !turn.isFree()) {
                return;
            }
            if (!c.hasMore()) {
                super.lookForMarker(qpNum);
            } else if (kept.size() <= cqe()) {
                keepStamped(wc -> true);
            }
        }
    }

    @Override
    public void destroy() {
        synchronized (lock) {
            super.destroy();
            c.free();
        }
    }

    // ---- the current completion

    /** Returns the current completion if it was kept, or null if it is the driver's. */
    private WorkCompletion now() {
        if (!turn.isMine() || !current && keptNow == null) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "start_poll",
                    "there is no current completion; startPoll or nextPoll must have returned 0");
        }
        return keptNow;
    }

    @Override
    public boolean hasFailed() {
        WorkCompletion old = keptNow;
        return old == null ? c.hasFailed() : old.status() != WcStatus.SUCCESS;
    }

    @Override
    public long wrId() {
        WorkCompletion old = now();
        return old == null ? c.wrId() : old.wrId();
    }

    @Override
    public int status() {
        WorkCompletion old = now();
        return old == null ? c.status() : old.status();
    }

    @Override
    public int opcode() {
        WorkCompletion old = now();
        return old == null ? c.opcode() : old.opcode();
    }

    @Override
    public int vendorErr() {
        WorkCompletion old = now();
        return old == null ? c.vendorErr() : old.status() == WcStatus.SUCCESS ? 0 : old.vendorErr();
    }

    @Override
    public int byteLen() {
        WorkCompletion old = now();
        return old == null ? c.byteLen() : old.byteLen();
    }

    @Override
    public int immData() {
        WorkCompletion old = now();
        return old == null ? c.immData() : old.immData();
    }

    @Override
    public int qpNum() {
        WorkCompletion old = now();
        return old == null ? c.qpNum() : old.qpNum();
    }

    @Override
    public int srcQp() {
        WorkCompletion old = now();
        return old == null ? c.srcQp() : old.srcQp();
    }

    @Override
    public int wcFlags() {
        WorkCompletion old = now();
        return old == null ? c.wcFlags() : old.wcFlags();
    }

    @Override
    public int slid() {
        WorkCompletion old = now();
        return old == null ? c.slid() : old.slid();
    }

    @Override
    public int sl() {
        WorkCompletion old = now();
        return old == null ? c.sl() : old.sl();
    }

    @Override
    public int dlidPathBits() {
        WorkCompletion old = now();
        return old == null ? c.dlidPathBits() : old.dlidPathBits();
    }

    @Override
    public long completionTs() {
        WorkCompletion old = now();
        return old == null ? c.ticks() : old.completionTs();
    }

    @Override
    public long completionWallclockNs() {
        WorkCompletion old = now();
        return old == null ? c.time() : old.completionWallclockNs();
    }

    @Override
    public int cvlan() {
        WorkCompletion old = now();
        return old == null ? c.cvlan() : old.cvlan();
    }

    @Override
    public int flowTag() {
        WorkCompletion old = now();
        return old == null ? c.flowTag() : old.flowTag();
    }

    @Override
    public void tmInfo(WcTmInfo into) {
        WorkCompletion old = now();
        if (old != null) {
            into.tag(old.tmTag()).priv(old.tmPriv());
        } else if (c.hasTag()) {
            c.readTag();
            into.tag(c.tag()).priv(c.priv());
        } else {
            into.tag(0).priv(0);
        }
    }
}
