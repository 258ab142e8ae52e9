/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.opentest4j.AssertionFailedError;

/** R12: extended completion queues. */
abstract class CompletionRules extends NameRules {
    private static final String PAGE = "ibv_create_cq_ex(3), DESCRIPTION, and the Javadoc of CompletionQueue";
    private static final long NO_FLAG = 1L << 50;
    private static final int NO_CREATE_FLAG = 1 << 20;
    private static final int MESSAGES = 3;

    /** Longer than a provider may let a thread wait for another that reads. */
    private static final long MOST_WAIT_NANOS = 1_500_000_000;

    private static final int RECEIVES = 128; // opcodes of receives have this bit

    /** For {@link ProviderKit}. */
    CompletionRules() {}

    private void startExtended(long wcFlags) {
        start(side -> {
            side.extendedCq = true;
            side.wcFlags = wcFlags;
        });
    }

    /** What a way of polling gives: 0 or more completions, as text. */
    private interface Way {
        void poll(CompletionQueue cq, List<String> into);
    }

    private static String words(long wrId, int status, int opcode, int byteLen, int qpNum, int flags, int imm) {
        boolean received = (opcode & RECEIVES) != 0;
        return "wrId " + wrId + ", " + WcStatus.toString(status) + ", opcode " + opcode + ", queue pair " + qpNum
                + (received ? ", " + byteLen + " bytes, flags " + flags : "")
                + ((flags & WcFlags.WITH_IMM) != 0 ? ", immediate data " + imm : "");
    }

    private static void plain(CompletionQueue cq, List<String> into, boolean sized) {
        WorkCompletion wc = new WorkCompletion();
        WorkCompletion[] one = {wc};
        int n = sized ? cq.poll(1, one, WorkCompletion.SIZE) : cq.poll(1, one);
        Seen.check(n >= 0, "poll returned " + n);
        if (n == 1) {
            into.add(words(wc.wrId(), wc.status(), wc.opcode(), wc.byteLen(), wc.qpNum(), wc.wcFlags(), wc.immData()));
        }
    }

    private static void lazily(CompletionQueue cq, List<String> into, boolean all) {
        int next = cq.startPoll(null);
        if (next == Errno.ENOENT) {
            return;
        }
        Seen.errno("startPoll", 0, next);
        while (next == 0) {
            into.add(words(
                    cq.wrId(),
                    cq.status(),
                    cq.readOpcode(),
                    cq.readByteLen(),
                    cq.readQpNum(),
                    cq.readWcFlags(),
                    cq.readImmData()));
            next = all ? cq.nextPoll() : Errno.ENOENT;
        }
        Seen.errno("nextPoll", Errno.ENOENT, next);
        Seen.errno("endPoll", 0, cq.endPoll());
    }

    private List<String> polled(Way way, CompletionQueue cq, int count) {
        List<String> found = new ArrayList<>();
        long end = System.nanoTime() + patience().toNanos();
        while (found.size() < count) {
            int before = found.size();
            way.poll(cq, found);
            Seen.check(
                    found.size() > before || System.nanoTime() < end,
                    "there are " + found.size() + " completions of " + count);
        }
        return found;
    }

    @Rule(
            id = "R12.01",
            since = 3,
            says = "however a queue is polled, the completions are the same",
            look = {"CompletionQueue.poll", "CompletionQueue.pollEx", "CompletionQueue.startPoll"},
            man = PAGE,
            needs = {Capability.RC, Capability.EXTENDED_CQ})
    final void r1201FourWays() {
        startExtended(WcExFlags.STANDARD);
        List<Way> ways = List.of(
                (cq, into) -> plain(cq, into, false),
                (cq, into) -> plain(cq, into, true),
                (cq, into) -> lazily(cq, into, true),
                (cq, into) -> lazily(cq, into, false));
        List<String> names = List.of("poll", "poll with a size", "nextPoll", "a startPoll for each");
        List<List<String>> first = null;
        for (Way way : ways) {
            for (int i = 0; i < MESSAGES; i++) {
                b.ready(10 + i, 4096 * i, 100 + i);
            }
            for (int i = 0; i < MESSAGES; i++) {
                a.post(a.operation(b, i, 4096 * i, 4096 * i, 100 + i));
            }
            List<List<String>> found =
                    List.of(polled(way, a.cq, MESSAGES), hasSend() ? polled(way, b.cq, MESSAGES) : List.of());
            first = first == null ? found : first;
            Seen.equal("what " + names.get(ways.indexOf(way)) + " gives, by sides,", first, found);
        }
    }

    @Rule(
            id = "R12.02",
            since = 3,
            says = "from startPoll to endPoll a thread has the queue for itself, and calls out of order do nothing",
            look = {"CompletionQueue.startPoll", "CompletionQueue.nextPoll", "CompletionQueue.endPoll"},
            man = PAGE,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.EXTENDED_CQ)
    final void r1202Bracket() throws InterruptedException {
        startExtended(WcExFlags.STANDARD);
        CompletionQueue cq = a.cq;
        Seen.errno("startPoll of an empty queue", Errno.ENOENT, cq.startPoll(new PollCqAttr()));
        Seen.errno("nextPoll without startPoll", Errno.EINVAL, cq.nextPoll());
        Seen.errno("endPoll without startPoll", Errno.EINVAL, cq.endPoll());
        PollCqAttr later = new PollCqAttr();
        later.masks(1L << 30, 0);
        for (int i = 0; i < 2; i++) {
            b.ready(10 + i, 0, 100);
            a.post(a.operation(b, i, 0, 0, 100));
        }
        Seen.errno("startPoll with bit 30 in its mask, which no level has,", Errno.EOPNOTSUPP, cq.startPoll(later));
        begin(cq);
        Seen.errno("a second startPoll of the same thread", Errno.EBUSY, cq.startPoll(null));
        long first = cq.wrId();
        Seen.check(first == 0 || !a.isOrdered() && first == 1, "wrId() is " + first + ", not 0");
        AtomicInteger taken = new AtomicInteger(-1);
        CountDownLatch polling = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            polling.countDown();
            taken.set(cq.poll(1, new WorkCompletion[] {new WorkCompletion()}));
        });
        other.setDaemon(true);
        other.start();
        polling.await();
        other.join(Math.max(1, quiet().toMillis()));
        boolean waited = other.isAlive();
        Seen.errno("endPoll", 0, cq.endPoll());
        other.join(patience().toMillis());
        Seen.check(waited, "poll of another thread returned " + taken.get() + " before endPoll");
        Seen.check(!other.isAlive(), "poll of another thread still waits after endPoll");
        List<String> rest = new ArrayList<>();
        if (taken.get() == 0) {
            rest = polled((queue, into) -> plain(queue, into, false), cq, 1);
        }
        Seen.equal("completions after those that were read", 1, Math.max(taken.get(), rest.size()));
    }

    private void begin(CompletionQueue cq) {
        long end = System.nanoTime() + patience().toNanos();
        int started;
        do {
            started = cq.startPoll(null);
        } while (started == Errno.ENOENT && System.nanoTime() < end);
        Seen.errno("startPoll", 0, started);
    }

    @Rule(
            id = "R12.03",
            since = 3,
            says = "what nobody has heard of is refused, of completions and of queues",
            look = "the function in the slot CREATE_CQ_EX",
            man = "ibv_create_cq_ex(3), and the Javadoc of CqInitAttrEx",
            needs = Capability.EXTENDED_CQ)
    final void r1203Unknown() {
        Context context = open();
        refused(context, "wcFlags bit 50", standard().wcFlags(WcExFlags.STANDARD | NO_FLAG));
        refused(context, "flags bit 20", standard().flags(NO_CREATE_FLAG));
        refused(
                context,
                "a vendor's attributes of a type that it can't know",
                standard().vendor(new Object() {}));
        if (!hasCompletionTimestamps()) {
            long times = WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP;
            refused(
                    context,
                    "time stamps, where hasCompletionTimestamps() says false,",
                    standard().wcFlags(times));
        }
    }

    private static CqInitAttrEx standard() {
        return new CqInitAttrEx().cqe(4).wcFlags(WcExFlags.STANDARD);
    }

    private void refused(Context context, String what, CqInitAttrEx attr) {
        Seen.refuses("createCqEx with " + what, () -> opened(context.createCqEx(attr)), Errno.EOPNOTSUPP);
    }

    @Rule(
            id = "R12.04",
            since = 3,
            says = "what was not asked for can't be read, nor anything where there is no completion",
            look = {"CompletionQueue.readByteLen", "CompletionQueue.readQpNum", "CompletionQueue.wrId"},
            man = PAGE,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.EXTENDED_CQ)
    final void r1204Readers() {
        startExtended(WcExFlags.QP_NUM);
        Seen.refuses("wrId() before startPoll", a.cq::wrId, Errno.EINVAL);
        b.ready(2, 0, 100);
        a.post(a.operation(b, 1, 0, 0, 100));
        begin(a.cq);
        Seen.equal("wrId()", 1L, a.cq.wrId());
        Seen.equal("readQpNum()", a.qp.qpNum(), a.cq.readQpNum());
        List<Runnable> unasked = List.of(
                a.cq::readByteLen,
                a.cq::readImmData,
                a.cq::readSrcQp,
                a.cq::readSlid,
                a.cq::readSl,
                a.cq::readDlidPathBits,
                a.cq::readCompletionTs,
                a.cq::readCompletionWallclockNs);
        String[] names = {"ByteLen", "ImmData", "SrcQp", "Slid", "Sl", "DlidPathBits", "CompletionTs", "WallclockNs"};
        for (int i = 0; i < names.length; i++) {
            String call = "read" + names[i] + "() on a queue made without it";
            Seen.refuses(call, unasked.get(i), Errno.EINVAL);
        }
        Seen.errno("nextPoll", Errno.ENOENT, a.cq.nextPoll());
        Seen.refuses("readOpcode() after the last", a.cq::readOpcode, Errno.EINVAL);
        Seen.errno("endPoll", 0, a.cq.endPoll());
        Seen.refuses("status() after endPoll", a.cq::status, Errno.EINVAL);
    }

    @Rule(
            id = "R12.05",
            since = 3,
            says =
                    "completions have the time at which they completed, in order, within the mask; failed ones have none",
            look = {"CompletionQueue.pollEx", "CompletionQueue.readCompletionTs"},
            man = "ibv_create_cq_ex(3) (IBV_WC_EX_WITH_COMPLETION_TIMESTAMP), and the Javadoc of WorkCompletion",
            needs = {Capability.RC, Capability.EXTENDED_CQ, Capability.COMPLETION_TIMESTAMPS})
    final void r1205Times() {
        startExtended(WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP);
        long mask = a.context.queryDeviceEx().completionTimestampMask();
        Seen.check(mask != 0, "completionTimestampMask of queryDeviceEx is 0, and there are time stamps");
        long before = 0;
        for (int i = 0; i < 2 * MESSAGES; i++) {
            b.ready(10, 0, 100);
            a.post(a.operation(b, i, 0, 0, 100));
            long time = i % 2 == 0 ? sizedTime() : lazyTime();
            Seen.check(
                    i == 0 || (time - before & mask) <= mask >>> 1,
                    "the time of completion " + i + " is " + time + ", before " + before + " of the one before it");
            before = time;
        }
        WorkCompletion[] used = {new WorkCompletion()};
        for (int size : new int[] {0, WorkCompletion.SIZE, 0}) {
            b.ready(10, 0, 100);
            a.post(a.operation(b, 7, 0, 0, 100));
            sized(used, size);
            Seen.equal(
                    "compMask() for whoever knows " + (size == 0 ? "no field" : "all fields"),
                    size == 0 ? 0 : 1L << WorkCompletion.COMPLETION_TS,
                    used[0].compMask());
        }
        a.qp.modify(new io.verbs4j.QpAttr().qpState(io.verbs4j.QpState.ERR));
        a.post(a.operation(b, 8, 0, 0, 100));
        WorkCompletion failed = sized(WorkCompletion.SIZE);
        Seen.check(failed.status() != WcStatus.SUCCESS, "a request to a queue pair in ERR succeeds");
        Seen.equal("compMask() of a completion that failed", 0L, failed.compMask());
    }

    private WorkCompletion sized(int size) {
        WorkCompletion[] wc = {new WorkCompletion().completionTs(1)};
        sized(wc, size);
        return wc[0];
    }

    private void sized(WorkCompletion[] wc, int size) {
        long end = System.nanoTime() + patience().toNanos();
        int n;
        do {
            n = a.cq.poll(1, wc, size);
            Seen.check(n >= 0, "poll with a size returned " + n);
        } while (n == 0 && System.nanoTime() < end);
        Seen.equal("completions", 1, n);
    }

    private long sizedTime() {
        WorkCompletion wc = sized(WorkCompletion.SIZE);
        Seen.equal("compMask()", 1L << WorkCompletion.COMPLETION_TS, wc.compMask());
        return wc.completionTs();
    }

    private long lazyTime() {
        begin(a.cq);
        try {
            return a.cq.readCompletionTs();
        } finally {
            Seen.errno("endPoll", 0, a.cq.endPoll());
        }
    }

    @Rule(
            id = "R12.06",
            since = 3,
            says = "an extended queue has as many entries as were asked for, and tells what was",
            look = "the function in the slot CREATE_CQ_EX",
            man = PAGE,
            needs = Capability.EXTENDED_CQ)
    final void r1206Entries() {
        Context context = open();
        CqInitAttrEx attr = new CqInitAttrEx().cqe(37).userContext(this).wcFlags(WcExFlags.BYTE_LEN);
        CompletionQueue cq = made(CompletionQueue.class, context.createCqEx(attr));
        Seen.atLeast("cqe() of createCqEx", 37, cq.cqe());
        Seen.equal("wcFlags()", WcExFlags.BYTE_LEN, cq.wcFlags());
        Seen.check(cq.userContext() == this, "userContext() is " + cq.userContext());
        Seen.errno("startPoll", Errno.ENOENT, cq.startPoll(null));
        cq.close();
        Seen.errno("startPoll after close", Errno.EINVAL, cq.startPoll(null));
    }

    @Rule(
            id = "R12.07",
            since = 3,
            says = "whoever wants a queue that another thread reads waits one second at most, and is told EBUSY",
            look = {"CompletionQueue.poll", "CompletionQueue.pollEx", "CompletionQueue.startPoll"},
            man = PAGE,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.EXTENDED_CQ)
    final void r1207Patience() throws InterruptedException {
        startExtended(WcExFlags.STANDARD);
        a.ready(10, 0, 100);
        b.ready(10, 0, 100);
        a.post(a.operation(b, 1, 0, 0, 100));
        b.post(b.operation(a, 2, 0, 0, 100));
        CountDownLatch begun = new CountDownLatch(3);
        CountDownLatch answered = new CountDownLatch(3);
        WorkCompletion[] wc = {new WorkCompletion()};
        Reading first = new Reading("startPoll", a.cq, () -> b.cq.startPoll(null), begun, answered);
        Reading second = new Reading("poll", b.cq, () -> -a.cq.poll(1, wc), begun, answered);
        WorkCompletion[] sized = {new WorkCompletion()};
        Reading third =
                new Reading("poll with a size", null, () -> -a.cq.poll(1, sized, WorkCompletion.SIZE), begun, answered);
        List<Reading> readings = List.of(first, second, third);
        readings.forEach(Thread::start);
        boolean all = answered.await(MOST_WAIT_NANOS + patience().toNanos(), TimeUnit.NANOSECONDS);
        for (Reading reading : readings) {
            Seen.check(
                    all || reading.answer >= 0,
                    reading.getName() + " of a queue that another thread reads has not returned after a second");
            reading.join(patience().toMillis());
        }
        readings.forEach(reading -> Seen.errno(
                reading.getName() + " of a queue that another thread reads for long (poll: the negative of what it)",
                Errno.EBUSY,
                reading.answer));
        Seen.errno("startPoll after endPoll of another thread", Errno.ENOENT, startAnew(a.cq));
    }

    /** Reads what is left. */
    private int startAnew(CompletionQueue cq) {
        int started = cq.startPoll(null);
        while (started == 0) {
            Seen.errno("endPoll", 0, cq.endPoll());
            started = cq.startPoll(null);
        }
        return started;
    }

    /** Reads a queue and, in the midst of that, asks for another. Ends when all have an answer. */
    private final class Reading extends Thread {
        private final CompletionQueue own;
        private final IntSupplier asks;
        private final CountDownLatch begun;
        private final CountDownLatch answered;
        volatile int answer = -1;

        Reading(String call, CompletionQueue own, IntSupplier asks, CountDownLatch begun, CountDownLatch answered) {
            super(call);
            setDaemon(true);
            this.own = own;
            this.asks = asks;
            this.begun = begun;
            this.answered = answered;
        }

        @Override
        public void run() {
            try {
                if (own != null) {
                    begin(own);
                }
                begun.countDown();
                begun.await();
                answer = Math.abs(asks.getAsInt());
                answered.countDown();
                answered.await();
            } catch (InterruptedException e) {
                currentThread().interrupt();
            } finally {
                if (own != null) {
                    own.endPoll();
                }
            }
        }
    }

    @Rule(
            id = "R12.08",
            since = 3,
            says = "a queue of one thread at a time may pass to another thread, also between startPoll and endPoll",
            look = {"CompletionQueue.nextPoll", "CompletionQueue.endPoll", "CompletionQueue.wrId"},
            man = "the Javadoc of CompletionQueue.startPoll and CqCreateFlags.SINGLE_THREADED",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.EXTENDED_CQ)
    final void r1208HandOver() throws InterruptedException {
        start(side -> {
            side.extendedCq = true;
            side.wcFlags = WcExFlags.STANDARD;
            side.cqFlags = CqCreateFlags.SINGLE_THREADED;
        });
        b.ready(10, 0, 100);
        a.post(a.operation(b, 1, 0, 0, 100));
        begin(a.cq);
        Seen.errno("startPoll between startPoll and endPoll", Errno.EBUSY, elsewhere(() -> a.cq.startPoll(null)));
        Seen.equal("wrId() in another thread", 1, elsewhere(() -> (int) a.cq.wrId()));
        Seen.errno("nextPoll of another thread", Errno.ENOENT, elsewhere(a.cq::nextPoll));
        Seen.errno("endPoll of a third thread", 0, elsewhere(a.cq::endPoll));
        Seen.errno("endPoll of the first thread after that", Errno.EINVAL, a.cq.endPoll());
        Seen.errno("startPoll of the first thread", Errno.ENOENT, a.cq.startPoll(null));
    }

    private int elsewhere(IntSupplier call) throws InterruptedException {
        FutureTask<Integer> task = new FutureTask<>(call::getAsInt);
        Thread other = new Thread(task);
        other.setDaemon(true);
        other.start();
        try {
            return task.get(MOST_WAIT_NANOS + patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionFailedError("a call of another thread failed: " + e, e);
        }
    }

    @Rule(
            id = "R12.09",
            since = 3,
            says = "a poll without a size leaves nothing of an earlier completion in what came after level 1",
            look = "CompletionQueue.poll",
            man = "the Javadoc of CompletionQueue.poll and WorkCompletion.compMask",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.EXTENDED_CQ)
    final void r1209Stale() {
        boolean times = hasCompletionTimestamps();
        startExtended(WcExFlags.STANDARD | (times ? WcExFlags.COMPLETION_TIMESTAMP : 0));
        b.ready(10, 0, 100);
        a.post(a.operation(b, 1, 0, 0, 100));
        WorkCompletion wc = new WorkCompletion().completionTs(1).completionWallclockNs(1);
        WorkCompletion[] one = {wc};
        long end = System.nanoTime() + patience().toNanos();
        int n;
        do {
            n = a.cq.poll(1, one);
        } while (n == 0 && System.nanoTime() < end);
        Seen.equal("what poll returned", 1, n);
        Seen.equal("compMask() after poll without a size", 0L, wc.compMask());
    }
}
