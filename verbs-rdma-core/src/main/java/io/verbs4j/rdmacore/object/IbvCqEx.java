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
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * A {@code struct ibv_cq_ex}, whose completions are read where they are, by the driver's functions.
 *
 * <p>From start to end the driver holds a lock that others spin for: those who poll, and those who destroy a queue pair, also where
 * that is the very thread that has it. So nobody comes that far here. Who polls, closes, resizes, destroys or resets waits a while for
 * the one who reads, and then is told EBUSY; so is, at once, the one who reads. Where a thread ends that has begun to
 * read, the next one ends it for him.
 *
 * <p>librxe's functions can't be used: see {@link ContextFunctions#endsReadingTwice}. It has no time stamps either, so {@code poll_cq} tells all
 * that they would.
 *
 * <p>With {@link io.verbs4j.CqCreateFlags#SINGLE_THREADED} the driver has no lock. The one here stays: it takes some nanoseconds of a
 * start, a step and an end, none of what is read, and without it a program that breaks its promise would end the JVM. Any thread may go on
 * with what another has begun.
 */
public class IbvCqEx extends IbvCq implements CqReader {
    private final CqExFunctions c;
    private final ReadingTurn turn;
    private final boolean oneThread;

    /** The lists whose buffers complete here, replaced and never changed; null before the first. */
    private volatile TagBook[] books;

    /** What a driver whose functions can't be used for it is asked for by {@code poll_cq}, one at a time; else null. */
    private final WorkCompletion polled;

    // of the thread that reads
    private boolean started; // whether the driver has begun
    private boolean current; // whether its completion is current
    private WorkCompletion keptNow; // current, and not the driver's any more; or null

    /**
     * Of a {@code struct ibv_cq_ex} that was made for {@link #flagsFor}.
     *
     * @param wcFlags what is wanted, {@link io.verbs4j.WcExFlags} bits
     * @param windows who is told of completions
     * @param clock makes time of ticks; null where the driver does
     * @param oneThread whether the program says that no two threads use it at a time
     */
    public IbvCqEx(
            long address,
            ContextFunctions functions,
            WindowBook windows,
            long wcFlags,
            Mlx5Clock clock,
            boolean oneThread) {
        super(address, functions, windows);
        this.oneThread = oneThread;
        turn = new ReadingTurn(this::pass, this::finish, oneThread);
        c = new CqExFunctions(address, wcFlags, clock, functions.mostStrangers());
        polled = functions.endsReadingTwice() && !c.hasMore() ? new WorkCompletion() : null;
    }

    /** What the driver is asked for, where so much is wanted: {@link io.verbs4j.WcExFlags} bits. */
    public static long flagsFor(long wanted, boolean ownClock) {
        return CqExFunctions.flagsFor(wanted, ownClock);
    }

    // ---- whose turn it is

    /** Lets others have the lock. */
    @SuppressWarnings("WaitNotInLoop") // the loop is the turn's
    private void pass(int round) {
        boolean interrupted = Thread.interrupted(); // for those who look; here is nothing that it could end
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

    /** As that, and where {@code alone} nobody may hold the queue either. */
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

    // ---- one by one

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
            if (started) { // there was a marker alone
                c.end();
                started = false;
            }
            return error == Errno.ENOENT && isOverrun() ? Errno.EOVERFLOW : error;
        }
    }

    /**
     * Makes the next completion current, the driver's or one that was kept. Where there was none, reading starts again:
     * next_poll needs a current completion, and libefa ends the process without one.
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

    /** Reports messages that complete to a list, until {@link #forgetTags(TagBook)}. */
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

    /** Whether the calling thread reads, and the current completion is the driver's, which a vendor's functions can read. */
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
        lock.notifyAll(); // who wakes has the lock not before this thread has ended its turn
    }

    // ---- many, with what only reading one by one gives

    @Override
    public int poll(int numEntries, WorkCompletion[] wc, int wcSize) {
        if (!c.hasMore()) {
            return -Errno.EOPNOTSUPP; // the other poll has everything, and is faster
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

    /** As without stamps, and keeps those of the others. */
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

    /** The current completion where it was kept, or null where it is the driver's. */
    private WorkCompletion now() {
        if (!turn.isMine() || !current && keptNow == null) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "start_poll",
                    "there is no current completion; startPoll or nextPoll must have told 0");
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
