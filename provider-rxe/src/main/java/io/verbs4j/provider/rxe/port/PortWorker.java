/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.QpState;
import io.verbs4j.provider.rxe.memory.IntTable;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import java.lang.System.Logger;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A port's worker thread: deadlines of queue pairs, and what can't be done where it is noticed.
 *
 * <p>There is no timer for each queue pair: the thread looks at the deadlines of all. A few thousand are looked through in
 * microseconds, and setting a deadline on the data path costs one store.
 */
final class PortWorker {
    private static final Logger LOG = System.getLogger(PortWorker.class.getName());
    private static final long LONGEST_SLEEP = 100_000_000;

    private final String name;
    private final IntTable<RxeQueuePair> qps;
    private final Runnable receive;
    private final ArrayDeque<RxeQueuePair> kicked = new ArrayDeque<>(64);
    private volatile long wakeUpAt;
    private volatile Thread thread;
    private boolean failed;

    PortWorker(String name, IntTable<RxeQueuePair> qps, Runnable receive) {
        this.name = name;
        this.receive = receive;
        this.qps = qps;
    }

    void start() {
        Thread t = new Thread(this::run, name + "-worker");
        t.setDaemon(true);
        thread = t;
        t.start();
    }

    void stop() {
        Thread t = thread;
        thread = null;
        LockSupport.unpark(t);
    }

    void kick(RxeQueuePair qp) {
        synchronized (kicked) {
            kicked.add(qp);
        }
        LockSupport.unpark(thread);
    }

    void deadlineSet(long nanoTime) {
        if (nanoTime - wakeUpAt < 0) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        Thread me = Thread.currentThread();
        while (thread == me) {
            wakeUpAt = System.nanoTime() + LONGEST_SLEEP; // deadlines set from here on that are earlier wake the thread
            // Only those there are now: one that has much to send asks for its next turn in each, and others wait.
            RxeQueuePair next;
            for (int left = kickedCount(); left > 0 && (next = nextKicked()) != null; left--) {
                service(next, System.nanoTime());
            }
            long earliest = serviceDue(System.nanoTime());
            wakeUpAt = earliest;
            long sleep = earliest - System.nanoTime();
            if (sleep > 0 && isQuiet()) {
                LockSupport.parkNanos(this, sleep);
            }
        }
    }

    private long serviceDue(long now) {
        long earliest = now + LONGEST_SLEEP;
        List<RxeQueuePair> all = qps.values();
        boolean received = false;
        for (int i = 0; i < all.size(); i++) {
            RxeQueuePair qp = all.get(i);
            long deadline = qp.deadline();
            if (deadline == Long.MAX_VALUE) {
                continue;
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
        return earliest;
    }

    /** What fails ends one queue pair, not the thread that all others need. */
    private void service(RxeQueuePair qp, long now) {
        try {
            qp.service(now);
        } catch (RuntimeException | Error e) {
            if (!failed) {
                failed = true; // once is enough
                LOG.log(Logger.Level.ERROR, "a queue pair could not be served", e);
            }
            if (qp.state() != QpState.ERR) { // else it failed to go there, and would do so again
                qp.enterErrorSoon();
            }
        }
    }

    private int kickedCount() {
        synchronized (kicked) {
            return kicked.size();
        }
    }

    private RxeQueuePair nextKicked() {
        synchronized (kicked) {
            return kicked.poll();
        }
    }

    private boolean isQuiet() {
        return kickedCount() == 0;
    }
}
