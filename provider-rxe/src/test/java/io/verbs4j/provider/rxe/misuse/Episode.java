/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.VerbsObject;
import io.verbs4j.core.Verbs;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A period in which threads misuse a pool of handles, followed by a check: everything is closed and nothing is left.
 */
final class Episode {
    /** The multicast groups in use. */
    static final List<Gid> GROUPS = List.of(
            Gid.of(0, 0xffff_efff_0101L), // 239.255.1.1
            Gid.of(0, 0xffff_efff_0102L),
            Gid.of(0xff12_0000_0000_0000L, 0x1234));

    private static final long HANG = TimeUnit.SECONDS.toNanos(60);
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(15);

    private final long seed;
    private final int callsPerThread;
    private final GuardedMemory memory;
    private final List<Device> devices = DevicesUnderTest.list();
    private final Pool pool;
    private final List<Caller> callers = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicReference<Caller> culprit = new AtomicReference<>();
    private volatile boolean stop;

    Episode(long seed, int threads, int callsPerThread, GuardedMemory memory) {
        this.seed = seed;
        this.callsPerThread = callsPerThread;
        this.memory = memory;
        List<Gid> gids = new ArrayList<>();
        Context first = Verbs.open(devices.get(0), VerbsLevel.CURRENT);
        for (Device device : devices) {
            try (Context context = Verbs.open(device, VerbsLevel.CURRENT)) {
                gids.add(context.queryGid(1, 0));
            }
        }
        List<Gid> real = List.copyOf(gids);
        for (int i = 0; i < 3; i++) {
            gids.addAll(real); // more often than others
        }
        gids.add(Gid.of(0, 0xffff_7fc8_0101L)); // 127.200.1.1, nobody's
        gids.add(Gid.of(0, 1)); // IPv6
        gids.add(Gid.ZERO);
        gids.addAll(GROUPS);
        pool = new Pool(gids);
        pool.makeFakes(first);
        SplittableRandom random = new SplittableRandom(seed);
        pool.contexts.add(first, random);
        for (int i = 0; i < threads; i++) {
            SplittableRandom own = random.split();
            callers.add(new Caller(own, pool, new Values(own, pool)));
        }
    }

    /** How often each verb succeeded and failed. */
    Tally tally() {
        Tally sum = new Tally();
        callers.forEach(c -> sum.add(c.tally));
        return sum;
    }

    /** Runs the episode; returns how many calls were made. */
    long run() {
        List<Thread> threads = new ArrayList<>();
        for (Caller caller : callers) {
            Thread t = new Thread(() -> misuse(caller), "misuse-" + threads.size());
            t.setDaemon(true);
            threads.add(t);
            t.start();
        }
        watch(threads);
        if (threads.stream().noneMatch(Thread::isAlive)) {
            end();
        }
        if (failure.get() != null) {
            throw new AssertionError(report(), failure.get());
        }
        return callers.stream().mapToLong(c -> c.log.count()).sum();
    }

    /** Closes everything, also after a failure: what stayed open would fail the test again when it is rerun. */
    private void end() {
        try {
            closeAll();
            if (failure.get() == null) {
                if (!DevicesUnderTest.areNative()) {
                    Leaks.check(devices);
                }
                checkMemory();
            }
        } catch (RuntimeException | AssertionError e) {
            if (!failure.compareAndSet(null, e)) {
                failure.get().addSuppressed(e);
            }
        }
    }

    private void misuse(Caller c) {
        Runnable[] calls = repertoire(c);
        try {
            for (int i = 0; i < callsPerThread && !stop; i++) {
                if (c.chance(2000)) {
                    Thread.currentThread().interrupt();
                }
                calls[c.random.nextInt(calls.length)].run();
                if (c.chance(50)) {
                    Thread.interrupted();
                }
            }
        } catch (Throwable t) {
            if (failure.compareAndSet(null, t)) {
                culprit.set(c);
            }
            stop = true;
        }
    }

    private Runnable[] repertoire(Caller c) {
        ControlCalls control = new ControlCalls(c, memory, devices);
        QueueCalls queues = new QueueCalls(c, control);
        DataCalls data = new DataCalls(c);
        List<Runnable> all = new ArrayList<>();
        add(all, 1, control::open);
        add(all, 3, control::query);
        add(all, 4, control::asyncEvent);
        add(all, 6, control::ackAsyncEvent);
        add(all, 3, control::allocPd);
        add(all, 6, control::regMr);
        add(all, 6, control::share);
        add(all, 6, control::count);
        add(all, 2, control::reregMr);
        add(all, 3, control::allocMw);
        add(all, 4, control::createAh);
        add(all, 2, queues::createChannel);
        add(all, 5, queues::createCq);
        add(all, 5, queues::createCqEx);
        add(all, 2, queues::modifyCq);
        add(all, 2, control::queryEx);
        add(all, 2, queues::rateAndOrder);
        add(all, 2, queues::resizeCq);
        add(all, 4, queues::completionEvent);
        add(all, 6, queues::ackCompletionEvents);
        add(all, 2, queues::createSrq);
        add(all, 3, queues::changeSrq);
        add(all, 8, queues::createQp);
        add(all, 1, queues::modifyQp);
        add(all, 6, queues::connect);
        add(all, 2, queues::queryQp);
        add(all, 2, queues::multicast);
        add(all, 2, control::closeAny);
        add(all, 40, data::postSend);
        add(all, 2, data::postShared);
        add(all, 25, data::postRecv);
        add(all, 8, data::postSrqRecv);
        add(all, 6, data::postSrqOps);
        add(all, 6, data::bindMw);
        add(all, 25, data::poll);
        add(all, 6, data::reqNotify);
        add(all, 8, data::pollLazily);
        add(all, 5, data::pollWithSize);
        return all.toArray(Runnable[]::new);
    }

    private static void add(List<Runnable> all, int weight, Runnable call) {
        for (int i = 0; i < weight; i++) {
            all.add(call);
        }
    }

    /** Waits for the threads; interrupts those that wait for others too long, and detects a hang. */
    private void watch(List<Thread> threads) {
        boolean running = true;
        while (running) {
            running = false;
            long now = System.nanoTime();
            for (int i = 0; i < threads.size(); i++) {
                Thread thread = threads.get(i);
                Caller caller = callers.get(i);
                if (!thread.isAlive()) {
                    continue;
                }
                running = true;
                long since = caller.callSince;
                if (since != 0 && caller.mayWait && now - since > PATIENCE) {
                    thread.interrupt();
                }
                if (since != 0
                        && now - since > HANG
                        && failure.compareAndSet(null, new AssertionError("a call hangs"))) {
                    culprit.set(caller);
                    stop = true;
                    return;
                }
            }
            sleep(5);
        }
    }

    // ---- the end

    private void closeAll() {
        giveBackEvents();
        for (QueuePair qp : pool.qps.open()) {
            if (qp.qpType() == QpType.UD) {
                detach(qp);
            }
        }
        for (Shelf<? extends VerbsObject> shelf : pool.all) {
            List<VerbsObject> held = new ArrayList<>();
            for (VerbsObject handle : shelf.open()) {
                if (!closed(handle)) {
                    held.add(handle);
                }
            }
            held.forEach(VerbsObject::close);
        }
    }

    /**
     * Closes a handle; returns false if another one of the same shelf needs it: a key its pieces, an imported domain
     * its origin.
     */
    private static boolean closed(VerbsObject handle) {
        try {
            handle.close();
            return true;
        } catch (VerbsException e) {
            boolean shared = handle instanceof MemoryRegion || handle instanceof ProtectionDomain;
            if (shared && e.errno() == Errno.EBUSY) {
                return false;
            }
            throw e;
        }
    }

    private void giveBackEvents() {
        for (AsyncEvent event : pool.asyncEvents) {
            ignoreInvalid(event::ack);
        }
        for (CompletionQueue cq : pool.completionEvents) {
            ignoreInvalid(() -> cq.ackEvents(1));
        }
    }

    private static void detach(QueuePair qp) {
        for (Gid group : GROUPS) {
            ignoreInvalid(() -> qp.detachMcast(group, 0));
        }
    }

    private static void ignoreInvalid(Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            if (e.errno() != Errno.EINVAL) {
                throw e;
            }
        }
    }

    /**
     * Checks that after closing everything nothing writes any more, and that nothing was ever written outside
     * registered memory.
     */
    private void checkMemory() {
        if (memory.damaged() >= 0) {
            throw new AssertionError("a byte outside the registered memory was overwritten");
        }
        byte value = (byte) seed;
        memory.fill(value);
        sleep(2);
        if (!memory.isFilledWith(value)) {
            throw new AssertionError("memory was overwritten after its regions were closed");
        }
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError("unexpected interrupt", e);
        }
    }

    private String report() {
        StringBuilder text = new StringBuilder("misuse with seed ").append(seed);
        text.append("; run again with -D")
                .append(MisuseIT.SEED)
                .append('=')
                .append(seed)
                .append('\n');
        text.append("reason: ").append(failure.get()).append('\n');
        for (int i = 0; i < callers.size(); i++) {
            boolean here = callers.get(i) == culprit.get();
            text.append("  thread ")
                    .append(i)
                    .append(here ? ", which failed" : "")
                    .append(", its last calls\n");
            text.append(callers.get(i).log);
        }
        if (culprit.get() == null || String.valueOf(failure.get()).contains("hangs")) {
            for (ThreadInfo info : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
                text.append(info);
            }
        }
        return text.toString();
    }
}
