/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.traffic.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.PolledRounds;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Creates, uses and closes objects of a kind in one thread, while others poll, read and post with them. The devices
 * work by themselves, under {@code --guard}: any use of a destroyed object ends the JVM. Arguments: the kind, and the
 * number of rounds.
 */
public final class ClosingWhilePolledProgram {
    private enum Kind {
        QUEUE_PAIRS,
        RESETS,
        COMPLETION_QUEUES,
        REGIONS
    }

    private static final int DEPTH = 15;

    private final GaudiRig a = new GaudiRig(0, GaudiRig.INTERNAL, 1024);
    private final GaudiRig b = new GaudiRig(1, GaudiRig.INTERNAL, 64);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean over;
    private volatile CompletionQueue cq = a.cq;
    private volatile QueuePair qp;
    private volatile MemoryRegion from = a.mr;
    private final AtomicLong seen = new AtomicLong();

    private ClosingWhilePolledProgram() {}

    public static void main(String... args) throws InterruptedException {
        Simulator.device_sim_mode(Simulator.THREAD);
        ClosingWhilePolledProgram test = new ClosingWhilePolledProgram();
        Kind kind = Kind.valueOf(args[0]);
        WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion()};
        List<Thread> others =
                List.of(test.meanwhile(() -> test.poll(wc)), test.meanwhile(test::read), test.meanwhile(test::post));
        PolledRounds rounds = new PolledRounds(Integer.parseInt(args[1]), test.seen);
        for (int i = 0; rounds.includes(i) && test.failure.get() == null; i++) {
            test.round(kind);
        }
        test.over = true;
        for (Thread t : others) {
            t.join();
        }
        if (test.failure.get() != null) {
            throw new IllegalStateException("a thread has failed", test.failure.get());
        }
        test.a.close();
        test.b.close();
        Check.require(test.seen.get() > 0, "nothing was polled");
        System.out.println("closed while polled: " + test.seen.get() + " completions");
    }

    private void round(Kind kind) {
        CompletionQueue with = kind == Kind.COMPLETION_QUEUES ? a.queue(64) : a.cq;
        QueuePair one = a.qp(DEPTH, with);
        QueuePair two = b.qp(1);
        GaudiRig.connect(a, one, b, two);
        cq = with;
        qp = one;
        for (int i = 0; i < DEPTH; i++) {
            one.postSend(write(a.mr), null);
        }
        LockSupport.parkNanos(300_000);
        if (kind == Kind.RESETS) {
            for (int i = 0; i < 3; i++) {
                GaudiRig.reset(one);
                GaudiRig.reset(two);
                a.initialise(one);
                b.initialise(two);
                GaudiRig.connect(a, one, b, two);
                LockSupport.parkNanos(100_000);
            }
        } else if (kind == Kind.REGIONS) {
            for (int i = 0; i < 20; i++) {
                try (MemoryRegion mr = a.pd.regMr(ByteBuffer.allocateDirect(4096), 0)) {
                    from = mr;
                    LockSupport.parkNanos(10_000);
                    from = a.mr;
                }
            }
        }
        one.close();
        two.close();
        if (with != a.cq) {
            closed(with);
            cq = a.cq;
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

    private SendWorkRequest write(MemoryRegion mr) {
        return new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(b.mr.addr())
                .rkey(GaudiRig.KEY)
                .sgList(ScatterGatherElement.of(mr, 0, 64));
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
        CompletionQueue queue = cq;
        if (queue.startPoll(null) == 0) {
            queue.wrId();
            queue.readQpNum();
            queue.nextPoll();
            queue.endPoll();
        }
        LockSupport.parkNanos(50_000); // lets the other thread poll
    }

    private void post() {
        QueuePair to = qp;
        if (to != null) {
            to.postSend(write(from), null);
        }
    }
}
