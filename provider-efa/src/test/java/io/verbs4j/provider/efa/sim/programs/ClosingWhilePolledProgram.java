/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.PolledRounds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Creates, uses and closes objects of a kind in one thread, while others poll, read, arm, post and wait with them. The
 * device works in a thread of its own, under {@code --guard}: any use of a destroyed object ends the JVM. Arguments:
 * the kind, and the number of rounds.
 */
public final class ClosingWhilePolledProgram {
    private enum Kind {
        QUEUE_PAIRS,
        RESETS,
        COMPLETION_QUEUES,
        CHANNELS,
        ADDRESS_HANDLES,
        REGIONS
    }

    private final EfaRig rig = new EfaRig(QpType.DRIVER);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean over;
    private volatile CompletionQueue cq;
    private volatile CompletionChannel channel;
    private volatile QueuePair qp;
    private volatile AddressHandle ah;
    private volatile MemoryRegion region;
    private final AtomicLong seen = new AtomicLong();

    private ClosingWhilePolledProgram() {
        cq = queue(null);
        ah = rig.ah;
        region = rig.mr;
    }

    public static void main(String... args) throws InterruptedException {
        Kind kind = Kind.valueOf(args[0]);
        ClosingWhilePolledProgram test = new ClosingWhilePolledProgram();
        CompletionQueue shared = test.cq;
        WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion()};
        List<Thread> others = List.of(
                test.meanwhile(() -> test.poll(wc)),
                test.meanwhile(test::read),
                test.meanwhile(test::post),
                test.meanwhile(test::await));
        PolledRounds rounds = new PolledRounds(Integer.parseInt(args[1]), test.seen);
        for (int i = 0; rounds.includes(i) && test.failure.get() == null; i++) {
            test.round(kind, shared);
        }
        test.over = true;
        for (Thread t : others) {
            t.join();
        }
        if (test.failure.get() != null) {
            throw new IllegalStateException("a thread has failed", test.failure.get());
        }
        shared.close();
        test.rig.close();
        Check.require(test.seen.get() > 0, "nothing was polled");
        System.out.println("closed while polled: " + test.seen.get() + " completions");
    }

    @SuppressWarnings("try") // a queue pair stays open while others of its context are closed
    private void round(Kind kind, CompletionQueue shared) {
        switch (kind) {
            case QUEUE_PAIRS -> use(shared).close();
            case RESETS -> {
                try (QueuePair one = use(shared)) {
                    for (int i = 0; i < 4; i++) {
                        qp = null;
                        reset(one);
                        EfaRig.ready(one);
                        fill(one);
                        qp = one;
                    }
                    qp = null;
                }
            }
            case COMPLETION_QUEUES -> {
                CompletionQueue own = queue(null);
                QueuePair one = use(own);
                cq = own;
                LockSupport.parkNanos(100_000);
                one.close();
                closed(own);
                cq = shared;
            }
            case CHANNELS -> {
                CompletionChannel with = rig.context.createCompChannel();
                CompletionQueue own = queue(with);
                channel = with;
                cq = own;
                own.reqNotify(false);
                QueuePair one = use(own);
                LockSupport.parkNanos(100_000);
                one.close();
                closed(own);
                with.close();
                cq = shared;
            }
            case ADDRESS_HANDLES -> {
                try (QueuePair one = use(shared)) {
                    for (int i = 0; i < 20; i++) {
                        AddressHandle to = rig.pd.createAh(EfaRig.way(rig.context));
                        ah = to;
                        Thread.onSpinWait();
                        to.close();
                    }
                }
            }
            case REGIONS -> {
                try (QueuePair one = use(shared)) {
                    for (int i = 0; i < 20; i++) {
                        MemoryRegion mr = rig.pd.regMr(ByteBuffer.allocateDirect(64), 0);
                        region = mr;
                        Thread.onSpinWait();
                        mr.close();
                    }
                }
            }
        }
    }

    private static void reset(QueuePair one) {
        while (true) {
            try {
                one.modify(new QpAttr().qpState(QpState.RESET));
                return;
            } catch (VerbsException e) {
                Check.equal(Errno.EBUSY, e.errno(), e.getMessage());
            }
        }
    }

    private static void closed(CompletionQueue own) {
        for (boolean again = true; again; ) {
            try {
                own.close();
                again = false;
            } catch (VerbsException e) {
                Check.equal(Errno.EBUSY, e.errno(), e.getMessage());
            }
        }
    }

    private CompletionQueue queue(CompletionChannel with) {
        return rig.context.createCqEx(
                new CqInitAttrEx().cqe(256).wcFlags(WcExFlags.STANDARD).channel(with));
    }

    /**
     * Returns a queue pair with some completions, perhaps, and more requests under way; the other threads post to it as
     * well.
     */
    private QueuePair use(CompletionQueue completions) {
        QueuePair one =
                rig.pd.createQp(rig.attr(QpType.DRIVER).sendCq(completions).recvCq(completions));
        EfaRig.ready(one);
        fill(one);
        qp = one;
        LockSupport.parkNanos(100_000);
        return one;
    }

    private void fill(QueuePair one) {
        for (int i = 0; i < EfaRig.DEPTH; i++) {
            one.postRecv(new RecvWorkRequest().wrId(i).sgList(rig.at(EfaRig.SIZE, 64)), null);
            one.postSend(rig.send(i, rig.at(0, 8)).remoteQpn(one.qpNum()), null);
        }
    }

    // ---- the other threads

    private Thread meanwhile(Runnable work) {
        Thread t = new Thread(() -> {
            try {
                while (!over) {
                    work.run();
                    LockSupport.parkNanos(1_000);
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        });
        t.start();
        return t;
    }

    private void poll(WorkCompletion[] wc) {
        int got = cq.poll(wc.length, wc);
        if (got > 0) {
            seen.addAndGet(got);
        }
    }

    private void read() {
        CompletionQueue from = cq;
        if (from.startPoll(null) == 0) {
            from.readByteLen();
            from.readSrcQp();
            from.nextPoll();
            from.endPoll();
        }
        LockSupport.parkNanos(50_000); // lets the other thread poll
    }

    private void post() {
        QueuePair to = qp;
        if (to != null) {
            MemoryRegion mr = region;
            ScatterGatherElement piece =
                    new ScatterGatherElement().addr(mr.addr()).length(8).lkey(mr.lkey());
            to.postRecv(new RecvWorkRequest().sgList(rig.at(EfaRig.SIZE, 64)), null);
            to.postSend(
                    rig.send(1, piece)
                            .ah(ah)
                            .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE)
                            .remoteQpn(to.qpNum()),
                    null);
        }
    }

    private void await() {
        CompletionChannel from = channel;
        if (from == null) {
            return;
        }
        try {
            if (from.getEvent(1, TimeUnit.MILLISECONDS) != null) {
                cq.reqNotify(false);
            }
        } catch (VerbsException e) {
            Check.require(Arrays.asList(Errno.EBADF, Errno.EINVAL).contains(e.errno()), e.getMessage());
        }
    }
}
