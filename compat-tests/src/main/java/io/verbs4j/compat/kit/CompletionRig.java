/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
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
import java.util.function.IntSupplier;
import org.opentest4j.AssertionFailedError;

/** Ways to poll an extended completion queue, and threads that poll. See {@link CompletionRules}. */
final class CompletionRig extends Rig {
    static final String PAGE = "ibv_create_cq_ex(3), DESCRIPTION, and the Javadoc of CompletionQueue";
    static final long NO_FLAG = 1L << 50;
    static final int NO_CREATE_FLAG = 1 << 20;
    static final int MESSAGES = 3;

    /** Longer than a provider may let a thread wait for another that reads. */
    static final long MOST_WAIT_NANOS = 1_500_000_000;

    private static final int RECEIVES = 128; // opcodes of receives have this bit

    CompletionRig(ProviderKit kit) {
        super(kit);
    }

    void startExtended(long wcFlags) {
        start(side -> {
            side.extendedCq = true;
            side.wcFlags = wcFlags;
        });
    }

    /** A way to poll: adds 0 or more completions, as text. */
    interface Way {
        void poll(CompletionQueue cq, List<String> into);
    }

    private static String words(long wrId, int status, int opcode, int byteLen, int qpNum, int flags, int imm) {
        boolean received = (opcode & RECEIVES) != 0;
        return "wrId " + wrId + ", " + WcStatus.toString(status) + ", opcode " + opcode + ", queue pair " + qpNum
                + (received ? ", " + byteLen + " bytes, flags " + flags : "")
                + ((flags & WcFlags.WITH_IMM) != 0 ? ", immediate data " + imm : "");
    }

    static void plain(CompletionQueue cq, List<String> into, boolean sized) {
        WorkCompletion wc = new WorkCompletion();
        WorkCompletion[] one = {wc};
        int n = sized ? cq.poll(1, one, WorkCompletion.SIZE) : cq.poll(1, one);
        Seen.check(n >= 0, "poll returned " + n);
        if (n == 1) {
            into.add(words(wc.wrId(), wc.status(), wc.opcode(), wc.byteLen(), wc.qpNum(), wc.wcFlags(), wc.immData()));
        }
    }

    static void lazily(CompletionQueue cq, List<String> into, boolean all) {
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

    List<String> polled(Way way, CompletionQueue cq, int count) {
        List<String> found = new ArrayList<>();
        long end = System.nanoTime() + kit.patience().toNanos();
        while (found.size() < count) {
            int before = found.size();
            way.poll(cq, found);
            Seen.check(
                    found.size() > before || System.nanoTime() < end,
                    "only " + found.size() + " of " + count + " completions have arrived");
        }
        return found;
    }

    void begin(CompletionQueue cq) {
        long end = System.nanoTime() + kit.patience().toNanos();
        int started;
        do {
            started = cq.startPoll(null);
        } while (started == Errno.ENOENT && System.nanoTime() < end);
        Seen.errno("startPoll", 0, started);
    }

    static CqInitAttrEx standard() {
        return new CqInitAttrEx().cqe(4).wcFlags(WcExFlags.STANDARD);
    }

    void refused(Context context, String what, CqInitAttrEx attr) {
        Seen.refuses("createCqEx with " + what, () -> opened(context.createCqEx(attr)), Errno.EOPNOTSUPP);
    }

    WorkCompletion sized(int size) {
        WorkCompletion[] wc = {new WorkCompletion().completionTs(1)};
        sized(wc, size);
        return wc[0];
    }

    void sized(WorkCompletion[] wc, int size) {
        long end = System.nanoTime() + kit.patience().toNanos();
        int n;
        do {
            n = a.cq.poll(1, wc, size);
            Seen.check(n >= 0, "poll with a size returned " + n);
        } while (n == 0 && System.nanoTime() < end);
        Seen.equal("the number of completions", 1, n);
    }

    long sizedTime() {
        WorkCompletion wc = sized(WorkCompletion.SIZE);
        Seen.equal("compMask()", 1L << WorkCompletion.COMPLETION_TS, wc.compMask());
        return wc.completionTs();
    }

    long lazyTime() {
        begin(a.cq);
        try {
            return a.cq.readCompletionTs();
        } finally {
            Seen.errno("endPoll", 0, a.cq.endPoll());
        }
    }

    /** Reads the remaining completions. */
    int startAnew(CompletionQueue cq) {
        int started = cq.startPoll(null);
        while (started == 0) {
            Seen.errno("endPoll", 0, cq.endPoll());
            started = cq.startPoll(null);
        }
        return started;
    }

    /** A thread that reads a queue and meanwhile polls another. It ends when all such threads have an answer. */
    final class Reading extends Thread {
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

    int elsewhere(IntSupplier call) throws InterruptedException {
        FutureTask<Integer> task = new FutureTask<>(call::getAsInt);
        Thread other = new Thread(task);
        other.setDaemon(true);
        other.start();
        try {
            return task.get(MOST_WAIT_NANOS + kit.patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionFailedError("a call in another thread failed: " + e, e);
        }
    }
}
