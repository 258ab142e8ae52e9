/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.QpState;
import io.verbs4j.provider.rxe.base.Mishaps;
import io.verbs4j.provider.rxe.memory.IntTable;
import io.verbs4j.provider.rxe.qp.KickList;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.queue.RxeCompletionQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A port's worker thread: deadlines of queue pairs and completion queues, and what can't be done where it is noticed. It takes no memory for that.
 *
 * <p>There is no timer for each queue pair: the thread looks at the deadlines of all. A few thousand are looked through in
 * microseconds, and setting a deadline on the data path costs one store. While there are deadlines it steps the port's clock
 * often.
 */
final class PortWorker implements Loop.Body {
    private static final long LONGEST_SLEEP = 100_000_000;

    /** Time between two steps of the clock: less than what counts, as a thread wakes late. */
    private static final long TICK = DeviceClock.STEP * 3 / 4;

    /** Time until it is looked again whether packets that have arrived are taken in by now. */
    private static final long LOOK_AGAIN = 1_000_000;

    private static final long NEVER = Long.MAX_VALUE;

    private final IntTable<RxeQueuePair> qps;
    private final DeviceClock clock;
    private final PortLinks links;
    private final KickList kicked = new KickList();
    private final Mishaps mishaps = new Mishaps("a queue pair could not be served");
    private final Loop loop;
    private final Due due = new Due();

    /** Completion queues that have deadlines. What is in the array does not change. */
    private volatile RxeCompletionQueue[] watched = {};

    /** The earliest deadline; while it is looked for, any that is set is earlier. */
    private volatile long wakeUpAt = NEVER;

    /** Whether a deadline was set that is earlier. */
    private volatile boolean sooner;

    /** What had arrived by then has been taken in; the thread's. */
    private long seen;

    // Of the look at all deadlines that is under way; the thread's.
    private long now;
    private long earliest;
    private boolean received;

    /** Makes it; by the links packets are taken in before a deadline counts. */
    PortWorker(String name, IntTable<RxeQueuePair> qps, DeviceClock clock, PortLinks links) {
        this.clock = clock;
        this.links = links;
        this.qps = qps;
        this.loop = new Loop(name + "-worker", this);
    }

    void start() {
        loop.start();
    }

    void stop() {
        loop.stop();
    }

    void kick(RxeQueuePair qp) {
        kicked.add(qp);
        loop.wake();
    }

    void deadlineSet(long time) {
        if (loop.isCurrent()) {
            earliest = Math.min(earliest, time); // of something that it has looked at already, perhaps
        } else if (time < wakeUpAt) {
            sooner = true;
            loop.wake();
        }
    }

    synchronized void watch(RxeCompletionQueue cq, boolean on) {
        List<RxeCompletionQueue> all = new ArrayList<>(Arrays.asList(watched));
        if (all.remove(cq) || on) {
            if (on) {
                all.add(cq);
            }
            watched = all.toArray(RxeCompletionQueue[]::new);
        }
    }

    @Override
    public void pass() {
        // Only those there are now: one that has much to send asks for its next turn in each, and others wait.
        int turns = kicked.size();
        RxeQueuePair next;
        for (int left = turns; left > 0 && (next = kicked.poll()) != null; left--) {
            service(next, clock.step());
        }
        long time = clock.step();
        if (turns > 0 || sooner || wakeUpAt == NEVER || wakeUpAt <= time) {
            serviceDue();
        }
        sleep();
    }

    @Override
    public void died() {
        qps.forEach(RxeQueuePair::fail);
    }

    private void sleep() {
        long at = wakeUpAt;
        long left = at == NEVER ? LONGEST_SLEEP : Math.min(at - clock.now(), TICK);
        if (left > 0 && !sooner && kicked.size() == 0) {
            LockSupport.parkNanos(this, left);
        }
    }

    private void serviceDue() {
        sooner = false;
        wakeUpAt = NEVER; // deadlines set from here on wake the thread
        now = clock.step();
        received = false;
        earliest = NEVER;
        qps.forEach(due);
        for (RxeCompletionQueue cq : watched) {
            if (cq.deadline() <= now) {
                cq.onTimer(now);
            }
            earliest = Math.min(earliest, cq.deadline());
        }
        wakeUpAt = earliest;
    }

    /** Looks at each queue pair. */
    private final class Due implements Consumer<RxeQueuePair> {
        @Override
        public void accept(RxeQueuePair qp) {
            serviceDue(qp);
        }
    }

    private void serviceDue(RxeQueuePair qp) {
        long deadline = qp.deadline();
        if (deadline <= now) {
            if (!received) {
                received = true;
                seen = links.receive(); // what is waited for may have come, and no thread have had time for it
            }
            service(qp, now);
            clock.step();
            deadline = qp.deadline();
            if (deadline <= now) {
                deadline = now + LOOK_AGAIN; // it waits for what another thread has yet to take in
            }
        }
        earliest = Math.min(earliest, deadline);
    }

    /** What fails ends one queue pair, not the thread that all others need. */
    private void service(RxeQueuePair qp, long at) {
        try {
            qp.service(at, seen);
        } catch (Throwable e) {
            mishaps.survive(e);
            if (qp.state() != QpState.ERR) { // else it failed to go there, and would do so again
                qp.enterErrorSoon();
            }
        }
    }
}
