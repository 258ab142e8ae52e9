/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.QpState;
import io.verbs4j.provider.rxe.base.Mishaps;
import io.verbs4j.provider.rxe.memory.IntTable;
import io.verbs4j.provider.rxe.qp.KickList;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.queue.RxeCq;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A port's worker thread: handles deadlines of queue pairs and completion queues, and work that can't be done where it
 * is noticed. It allocates nothing to do so.
 *
 * <p>There is no timer per queue pair: the thread scans the deadlines of all. Scanning a few thousand takes
 * microseconds, and setting a deadline on the data path costs one store. While there are deadlines, it steps the port's
 * clock often.
 */
final class PortWorker implements Loop.Body {
    private static final long LONGEST_SLEEP = 100_000_000;

    /** Time between two steps of the clock: less than {@link DeviceClock#STEP}, because a thread wakes late. */
    private static final long TICK = DeviceClock.STEP * 3 / 4;

    /** Time until the next check whether packets that have arrived were processed. */
    private static final long LOOK_AGAIN = 1_000_000;

    private static final long NEVER = Long.MAX_VALUE;

    private final IntTable<RxeQp> qps;
    private final DeviceClock clock;
    private final PortLinks links;
    private final KickList kicked = new KickList();
    private final Mishaps mishaps = new Mishaps("a queue pair could not be served");
    private final Loop loop;
    private final Due due = new Due();

    /** The completion queues that have deadlines. The array is never modified. */
    private volatile RxeCq[] watched = {};

    /** The earliest deadline; NEVER during a scan, so that any deadline set meanwhile counts as earlier. */
    private volatile long wakeUpAt = NEVER;

    /** Whether an earlier deadline was set. */
    private volatile boolean sooner;

    /** Everything that had arrived by this time has been processed; owned by the thread. */
    private long seen;

    // State of the current scan; owned by the thread.
    private long now;
    private long earliest;
    private boolean received;

    /** Creates it; packets are received from the links before a deadline counts. */
    PortWorker(String name, IntTable<RxeQp> qps, DeviceClock clock, PortLinks links) {
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

    void kick(RxeQp qp) {
        kicked.add(qp);
        loop.wake();
    }

    void deadlineSet(long time) {
        if (loop.isCurrent()) {
            earliest = Math.min(earliest, time); // perhaps of an object that was already scanned
        } else if (time < wakeUpAt) {
            sooner = true;
            loop.wake();
        }
    }

    synchronized void watch(RxeCq cq, boolean on) {
        List<RxeCq> all = new ArrayList<>(Arrays.asList(watched));
        if (all.remove(cq) || on) {
            if (on) {
                all.add(cq);
            }
            watched = all.toArray(RxeCq[]::new);
        }
    }

    @Override
    public void pass() {
        // Only those in the list now: a queue pair with much to send requests its next turn in each one, and others
        // wait.
        int turns = kicked.size();
        RxeQp next;
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
        qps.forEach(RxeQp::fail);
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
        for (RxeCq cq : watched) {
            if (cq.deadline() <= now) {
                cq.onTimer(now);
            }
            earliest = Math.min(earliest, cq.deadline());
        }
        wakeUpAt = earliest;
    }

    /** Checks each queue pair. */
    private final class Due implements Consumer<RxeQp> {
        @Override
        public void accept(RxeQp qp) {
            serviceDue(qp);
        }
    }

    private void serviceDue(RxeQp qp) {
        long deadline = qp.deadline();
        if (deadline <= now) {
            if (!received) {
                received = true;
                seen = links.receive(); // the awaited packet may have arrived without any thread having had time for it
            }
            service(qp, now);
            clock.step();
            deadline = qp.deadline();
            if (deadline <= now) {
                deadline = now + LOOK_AGAIN; // it waits for packets that another thread has yet to process
            }
        }
        earliest = Math.min(earliest, deadline);
    }

    /** Services a queue pair. A failure ends that queue pair, not the thread that all others need. */
    private void service(RxeQp qp, long at) {
        try {
            qp.service(at, seen);
        } catch (Throwable e) {
            mishaps.survive(e);
            if (qp.state() != QpState.ERR) { // otherwise entering that state has failed and would fail again
                qp.enterErrorSoon();
            }
        }
    }
}
