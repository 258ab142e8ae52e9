/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.traffic.programs;

import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Several threads post, each to a queue pair of its own, and two of them to one; all share a FIFO and a completion
 * queue, which two others poll. Each request completes once, and its data arrive. The simulator's thread drives the
 * devices.
 */
public final class ThreadsProgram {
    private static final int QPS = 3;
    private static final int EACH = 400;
    private static final int POSTERS = QPS + 1;

    private final AtomicIntegerArray seen = new AtomicIntegerArray(POSTERS * EACH);

    public static void main(String... args) throws Exception {
        new ThreadsProgram().run();
        Simulator.requireClean();
        System.out.println("threads ok");
    }

    private void run() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (GaudiRig a = new GaudiRig(0, GaudiRig.INTERNAL, 1024);
                GaudiRig b = new GaudiRig(1, GaudiRig.INTERNAL, 16)) {
            List<QueuePair> qps = new ArrayList<>();
            for (int i = 0; i < QPS; i++) {
                QueuePair one = a.qp(15);
                QueuePair two = b.qp(1);
                GaudiRig.connect(a, one, b, two);
                qps.add(one);
                qps.add(two);
            }
            Simulator.device_sim_mode(Simulator.THREAD);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < POSTERS; i++) {
                int poster = i;
                all.add(threads.submit((Callable<?>) () -> post(poster, a, qps.get(2 * (poster % QPS)), b)));
            }
            for (int i = 0; i < 2; i++) {
                all.add(threads.submit((Callable<?>) () -> poll(a)));
            }
            for (Future<?> one : all) {
                one.get();
            }
            Simulator.device_sim_mode(0);
            for (int i = 0; i < POSTERS * EACH; i++) {
                Check.equal(1, seen.get(i), "completions of " + i);
                Check.equal(i, b.memory.getInt(4 * i), "what arrived of " + i);
            }
            a.nothing();
            qps.forEach(QueuePair::close);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Void post(int poster, GaudiRig a, QueuePair qp, GaudiRig b) throws InterruptedException {
        for (int i = poster * EACH; i < (poster + 1) * EACH; i++) {
            a.memory.putInt(4 * i, i);
            SendWorkRequest wr = a.write(i, 4 * i, b.mr.addr() + 4L * i, 4);
            int error;
            while ((error = qp.postSend(wr, null)) == Errno.ENOMEM) {
                LockSupport.parkNanos(20_000);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            Check.equal(0, error, "errno of the post of " + i);
        }
        return null;
    }

    private Void poll(GaudiRig a) throws InterruptedException {
        WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
        while (total() < POSTERS * EACH) {
            int taken = a.cq.poll(wc.length, wc);
            Check.require(taken >= 0, "poll returned " + taken);
            for (int i = 0; i < taken; i++) {
                Check.equal(WcStatus.SUCCESS, wc[i].status(), "status");
                seen.incrementAndGet((int) wc[i].wrId());
            }
            if (taken == 0) {
                LockSupport.parkNanos(20_000);
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return null;
    }

    private int total() {
        int sum = 0;
        for (int i = 0; i < seen.length(); i++) {
            sum += seen.get(i);
        }
        return sum;
    }
}
