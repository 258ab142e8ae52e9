/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A program for a simulated device that works in a thread of its own: several threads post and poll on the same queues,
 * while others modify, query, create and destroy. Arguments: the number of posts of each thread, and the data path.
 */
public final class ThreadsProgram implements AutoCloseable {
    private static final int BYTES = 2 * Poster.WINDOW * Long.BYTES;
    private static final int ROOM = 128;
    private static final long JOIN_MILLIS = 60_000;

    /** Threads that all end when one of them fails. */
    static final class Group {
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final List<Thread> workers = new ArrayList<>();
        private final List<Thread> helpers = new ArrayList<>();
        private volatile boolean over;

        /** Starts a thread that the group waits for. */
        void work(String name, Runnable body) {
            workers.add(start(name, body));
        }

        /** Starts a thread that repeats something until the others have ended. */
        void meanwhile(String name, Runnable body) {
            helpers.add(start(name, () -> {
                while (!over) {
                    body.run();
                }
            }));
        }

        private Thread start(String name, Runnable body) {
            Thread t = new Thread(
                    () -> {
                        try {
                            body.run();
                        } catch (Throwable e) {
                            failure.compareAndSet(null, e);
                            over = true;
                        }
                    },
                    name);
            t.setDaemon(true);
            t.start();
            return t;
        }

        /** Ends the calling thread if another has failed. */
        void check() {
            if (failure.get() != null) {
                throw new IllegalStateException("another thread has failed", failure.get());
            }
        }

        /** Returns whether the threads that the group waits for have ended; nothing may poll any more. */
        boolean isOver() {
            return over;
        }

        void await(String what) throws InterruptedException {
            join(workers, what);
            over = true;
            join(helpers, what);
            if (failure.get() != null) {
                throw new IllegalStateException(what, failure.get());
            }
        }

        private static void join(List<Thread> threads, String what) throws InterruptedException {
            for (Thread t : threads) {
                t.join(JOIN_MILLIS);
                if (t.isAlive()) {
                    IllegalStateException e = new IllegalStateException(what + ": " + t.getName() + " hangs");
                    e.setStackTrace(t.getStackTrace());
                    throw e;
                }
            }
        }
    }

    private final Context context;
    private final ProtectionDomain pd;
    private final AhAttr path;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(ROOM * BYTES);
    private final MemoryRegion mr;
    private final List<QueuePair> qps = new ArrayList<>();
    private final List<CompletionQueue> cqs = new ArrayList<>();
    private final Group group = new Group();

    private ThreadsProgram(String dataPath) {
        context = Mlx5Rig.open("mlx5_0", dataPath);
        pd = context.allocPd();
        path = Mlx5Rig.path(context);
        mr = pd.regMr(memory, Mlx5Rig.ACCESS);
    }

    /** What several threads do at once. */
    private interface Scenario {
        void start(ThreadsProgram on, long posts);
    }

    public static void main(String... args) throws InterruptedException {
        long posts = Long.parseLong(args[0]);
        run(args[1], posts, "several threads post to one queue pair", ThreadsProgram::oneQueuePair);
        run(args[1], posts / 4, "queue pairs share registers", ThreadsProgram::sharedRegisters);
        run(args[1], posts, "several threads poll one queue", ThreadsProgram::severalPollers);
        run(args[1], posts / 2, "others modify, query, make and destroy", ThreadsProgram::others);
        Simulator.requireNoViolation();
        require(Simulator.device_sim_count(Simulator.KEY_ERRORS) == 0, Simulator.message());
        System.out.println("threads: " + Simulator.device_sim_count(Simulator.SENDS) + " requests, 0 violations");
    }

    private static void run(String dataPath, long posts, String name, Scenario scenario) throws InterruptedException {
        long start = System.nanoTime();
        try (ThreadsProgram on = new ThreadsProgram(dataPath)) {
            scenario.start(on, posts);
            on.group.await(name);
        }
        System.out.printf("%s: %.1f s%n", name, (System.nanoTime() - start) / 1e9);
    }

    private void oneQueuePair(long posts) {
        CompletionQueue cq = cq();
        QueuePair[] one = {pair(cq)};
        Poster[] posters = new Poster[4];
        for (int i = 0; i < posters.length; i++) {
            posters[i] = poster(i, one, true);
        }
        start(posters, posts);
        group.meanwhile("poller", poller(cq, posters));
    }

    /** Each thread has its own queue pairs and completion queue, but they share doorbell registers. */
    private void sharedRegisters(long posts) {
        Poster[] posters = new Poster[4];
        for (int i = 0; i < posters.length; i++) {
            CompletionQueue cq = cq();
            QueuePair[] own = new QueuePair[16];
            for (int k = 0; k < own.length; k++) {
                own[k] = pair(cq);
            }
            posters[i] = poster(i, own, false);
            group.meanwhile("poller " + i, poller(cq, posters));
        }
        start(posters, posts);
    }

    private void severalPollers(long posts) {
        CompletionQueue cq = cq();
        Poster[] posters = new Poster[2];
        for (int i = 0; i < posters.length; i++) {
            posters[i] = poster(i, new QueuePair[] {pair(cq), pair(cq)}, false);
        }
        start(posters, posts);
        for (int i = 0; i < 3; i++) {
            group.meanwhile("poller " + i, poller(cq, posters));
        }
    }

    private void others(long posts) {
        CompletionQueue cq = cq();
        QueuePair[] one = {pair(cq)};
        Poster[] posters = {poster(0, one, true), poster(1, one, true)};
        QueuePairChurn[] churns = {new QueuePairChurn(this, cq, 2), new QueuePairChurn(this, cq, 3)};
        start(posters, posts);
        group.meanwhile("poller", () -> {
            for (QueuePairChurn c : churns) {
                c.aboutToPoll();
            }
            WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
            int got = cq.poll(wc.length, wc);
            require(got >= 0, "poll " + got);
            for (int i = 0; i < got; i++) {
                int of = Poster.of(wc[i].wrId());
                if (of < posters.length) {
                    posters[of].complete(wc[i]);
                } else {
                    churns[of - posters.length].complete(wc[i]);
                }
            }
        });
        for (QueuePairChurn c : churns) {
            group.meanwhile("churn", () -> c.run(group));
        }
        group.meanwhile("modifier", () -> {
            one[0].modify(new QpAttr().qpState(QpState.RTS).qpAccessFlags(AccessFlags.REMOTE_WRITE));
            int state = one[0].query(QpAttrMask.STATE | QpAttrMask.CAP).qpState();
            require(state == QpState.RTS, "state " + state);
            require(cq.reqNotify(false) == 0, "arm");
            cq.resize(cq.cqe() == 4095 ? 2000 : 4000);
        });
    }

    private void start(Poster[] posters, long posts) {
        for (Poster p : posters) {
            group.work("poster", () -> p.run(posts, group));
        }
    }

    private static Runnable poller(CompletionQueue cq, Poster[] posters) {
        ThreadLocal<WorkCompletion[]> own = ThreadLocal.withInitial(
                () -> new WorkCompletion[] {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()});
        return () -> {
            WorkCompletion[] wc = own.get();
            int got = cq.poll(wc.length, wc);
            require(got >= 0, "poll " + got);
            for (int i = 0; i < got; i++) {
                posters[Poster.of(wc[i].wrId())].complete(wc[i]);
            }
            if (got == 0) {
                LockSupport.parkNanos(10_000);
            }
        };
    }

    private Poster poster(int number, QueuePair[] on, boolean ordered) {
        return new Poster(number, on, mr, mr.addr() + (long) number * BYTES, ordered);
    }

    MemoryRegion mr() {
        return mr;
    }

    private CompletionQueue cq() {
        CompletionQueue cq = context.createCq(4096);
        cqs.add(cq);
        return cq;
    }

    /** Returns a queue pair that writes to another, which is closed with it. */
    private QueuePair pair(CompletionQueue cq) {
        QueuePair[] two = connected(cq);
        qps.addAll(List.of(two));
        return two[0];
    }

    QueuePair[] connected(CompletionQueue cq) {
        QueuePair a = pd.createQp(Mlx5Rig.attr(QpType.RC, cq, null));
        QueuePair b = pd.createQp(Mlx5Rig.attr(QpType.RC, cq, null));
        Mlx5Rig.connect(a, path, b.qpNum(), Mlx5Rig.WITHOUT_END);
        Mlx5Rig.connect(b, path, a.qpNum(), Mlx5Rig.WITHOUT_END);
        return new QueuePair[] {a, b};
    }

    @Override
    public void close() {
        qps.forEach(QueuePair::close);
        cqs.forEach(CompletionQueue::close);
        mr.close();
        pd.close();
        context.close();
    }
}
