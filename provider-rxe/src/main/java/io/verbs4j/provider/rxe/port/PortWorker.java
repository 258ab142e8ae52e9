/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.QpState;
import io.verbs4j.provider.rxe.memory.IntTable;
import io.verbs4j.provider.rxe.qp.KickList;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A port's worker thread: deadlines of queue pairs, and what can't be done where it is noticed. It takes no memory for that.
 *
 * <p>There is no timer for each queue pair: the thread looks at the deadlines of all. A few thousand are looked through in
 * microseconds, and setting a deadline on the data path costs one store.
 */
final class PortWorker {
    private static final long LONGEST_SLEEP = 100_000_000;

    private final IntTable<RxeQueuePair> qps;
    private final Runnable receive;
    private final KickList kicked = new KickList();
    private final Mishaps mishaps = new Mishaps("a queue pair could not be served");
    private final Loop loop;
    private final Consumer<RxeQueuePair> serviceDue = this::serviceDue;
    private volatile long wakeUpAt;

    // Of the look at all deadlines that is under way; the thread's.
    private long now;
    private long earliest;
    private boolean received;

    PortWorker(String name, IntTable<RxeQueuePair> qps, Runnable receive) {
        this.qps = qps;
        this.receive = receive;
        this.loop = new Loop(name + "-worker", this::pass, () -> qps.forEach(RxeQueuePair::fail));
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

    void deadlineSet(long nanoTime) {
        if (nanoTime - wakeUpAt < 0) {
            loop.wake();
        }
    }

    private void pass() {
        wakeUpAt = System.nanoTime() + LONGEST_SLEEP; // deadlines set from here on that are earlier wake the thread
        // Only those there are now: one that has much to send asks for its next turn in each, and others wait.
        RxeQueuePair next;
        for (int left = kicked.size(); left > 0 && (next = kicked.poll()) != null; left--) {
            service(next, System.nanoTime());
        }
        now = System.nanoTime();
        earliest = now + LONGEST_SLEEP;
        received = false;
        qps.forEach(serviceDue);
        wakeUpAt = earliest;
        long sleep = earliest - System.nanoTime();
        if (sleep > 0 && kicked.size() == 0) {
            LockSupport.parkNanos(this, sleep);
        }
    }

    private void serviceDue(RxeQueuePair qp) {
        long deadline = qp.deadline();
        if (deadline == Long.MAX_VALUE) {
            return;
        }
        if (deadline - now <= 0) {
            if (!received) {
                received = true;
                receive.run(); // what is waited for may have come, and no thread have had time for it
            }
            service(qp, now);
            deadline = qp.deadline();
        }
        if (deadline != Long.MAX_VALUE && deadline - earliest < 0) {
            earliest = deadline;
        }
    }

    /** What fails ends one queue pair, not the thread that all others need. */
    private void service(RxeQueuePair qp, long at) {
        try {
            qp.service(at);
        } catch (ThreadDeath e) {
            throw e;
        } catch (Throwable e) {
            mishaps.note(e);
            if (qp.state() != QpState.ERR) { // else it failed to go there, and would do so again
                qp.enterErrorSoon();
            }
        }
    }
}
