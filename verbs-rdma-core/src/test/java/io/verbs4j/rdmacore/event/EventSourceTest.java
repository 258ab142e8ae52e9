/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.testsupport.Patience;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for real descriptors. */
@Timeout(Patience.TEST_SECONDS)
class EventSourceTest {
    private static final long FOR_EVER = -1;
    private static final String THREAD = "verbs4j-events";

    private final Semaphore semaphore = new Semaphore();
    private final EventSource source = new EventSource("get_test_event", semaphore.fd());
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void noThreadToBeginWith() throws InterruptedException {
        awaitThreads(0);
    }

    /** After each test the thread ends, because nothing is watched any more. */
    @AfterEach
    void noThreadIsLeft() throws InterruptedException {
        source.close();
        threads.shutdownNow();
        assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        semaphore.close();
        awaitThreads(0);
    }

    private static long pollers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(THREAD))
                .count();
    }

    private static void awaitThreads(long count) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (pollers() != count) {
            assertThat(System.nanoTime()).as("threads: %s", pollers()).isLessThan(end);
            Thread.sleep(2);
        }
    }

    private Long await(long nanos) {
        return source.await(nanos, semaphore::fetch);
    }

    private static void awaitWaiting(Thread thread) throws InterruptedException {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
    }

    /** On JDK 21 to 23 a virtual thread that waits in a monitor pins its carrier. */
    @Test
    void waiterHoldsNoMonitor() throws Exception {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        Future<Long> event = threads.submit(() -> {
            waiter.set(Thread.currentThread());
            return await(FOR_EVER);
        });
        while (waiter.get() == null) {
            Thread.sleep(1);
        }
        awaitWaiting(waiter.get());
        ThreadInfo info = ManagementFactory.getThreadMXBean()
                .getThreadInfo(new long[] {waiter.get().getId()}, true, true)[0];
        assertThat(info.getLockInfo().getClassName()).contains("ConditionObject");
        assertThat(info.getLockedMonitors()).isEmpty();
        semaphore.post(1);
        assertThat(event.get(Patience.SECONDS, TimeUnit.SECONDS)).isOne();
    }

    @Test
    void pendingEventNeedsNoThread() {
        semaphore.post(2);
        assertThat(await(FOR_EVER)).isOne();
        assertThat(await(0)).isOne();
        assertThat(await(0)).isNull();
        assertThat(pollers()).isZero();
    }

    @Test
    void laterEventEndsWait() throws Exception {
        for (int i = 0; i < 20; i++) {
            Future<Long> waiter = threads.submit(() -> await(FOR_EVER));
            Thread.sleep(i % 3);
            semaphore.post(1);
            assertThat(waiter.get(Patience.SECONDS, TimeUnit.SECONDS)).isOne();
        }
    }

    @Test
    void timeoutEndsWait() {
        long start = System.nanoTime();
        assertThat(await(TimeUnit.MILLISECONDS.toNanos(60))).isNull();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(60));
        start = System.nanoTime();
        assertThat(await(1)).isNull();
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
        semaphore.post(1);
        assertThat(await(1)).isOne();
    }

    @Test
    void interruptEndsWait() throws InterruptedException {
        AtomicReference<VerbsException> thrown = new AtomicReference<>();
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        Thread waiter = new Thread(() -> {
            try {
                await(FOR_EVER);
            } catch (VerbsException e) {
                thrown.set(e);
                interrupted.set(Thread.currentThread().isInterrupted());
            }
        });
        waiter.start();
        awaitWaiting(waiter);
        waiter.interrupt();
        waiter.join();
        assertThat(thrown.get().errno()).isEqualTo(Errno.EINTR);
        assertThat(interrupted).hasValue(true);
        semaphore.post(1);
        assertThat(await(FOR_EVER)).as("other waiters continue").isOne();
    }

    @Test
    void closeEndsEveryWait() throws InterruptedException {
        List<Thread> waiters = new ArrayList<>();
        List<Integer> errnos = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 5; i++) {
            Thread waiter = new Thread(() -> {
                try {
                    await(FOR_EVER);
                } catch (VerbsException e) {
                    errnos.add(e.errno());
                }
            });
            waiter.start();
            waiters.add(waiter);
        }
        for (Thread waiter : waiters) {
            awaitWaiting(waiter);
        }
        awaitThreads(1);
        source.close();
        for (Thread waiter : waiters) {
            waiter.join();
        }
        assertThat(errnos).hasSize(5).containsOnly(Errno.EBADF);
        assertThatThrownBy(() -> await(0)).hasMessageContaining("get_test_event: EBADF: it was closed");
        source.close(); // again
    }

    /** Each event reaches one waiting thread, and none is lost, in any interleaving. */
    @Test
    void manyWaitersShareEvents() throws Exception {
        int waiters = 6;
        int each = 200;
        List<Future<Integer>> counts = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            counts.add(threads.submit(() -> {
                int count = 0;
                while (count < each) {
                    assertThat(await(FOR_EVER)).isOne();
                    count++;
                }
                return count;
            }));
        }
        for (int sent = 0; sent < waiters * each; sent += 3) {
            semaphore.post(3);
            if (sent % 7 == 0) {
                Thread.onSpinWait();
            }
        }
        for (Future<Integer> count : counts) {
            assertThat(count.get(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(each);
        }
        assertThat(await(0)).isNull();
    }

    @Test
    void oneThreadServesAllSources() throws Exception {
        List<Semaphore> semaphores = new ArrayList<>();
        List<EventSource> sources = new ArrayList<>();
        List<Future<Long>> waiters = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Semaphore other = new Semaphore();
            EventSource otherSource = new EventSource("get_test_event", other.fd());
            semaphores.add(other);
            sources.add(otherSource);
            waiters.add(threads.submit(() -> otherSource.await(FOR_EVER, other::fetch)));
        }
        awaitThreads(1);
        for (int i = 29; i >= 0; i--) {
            semaphores.get(i).post(1);
            assertThat(waiters.get(i).get(Patience.SECONDS, TimeUnit.SECONDS))
                    .as("source %s", i)
                    .isOne();
            assertThat(pollers()).isOne();
        }
        sources.forEach(EventSource::close);
        awaitThreads(0);
        // The thread starts again for the next wait.
        Future<Long> waiter = threads.submit(() -> await(FOR_EVER));
        awaitThreads(1);
        semaphore.post(1);
        assertThat(waiter.get(Patience.SECONDS, TimeUnit.SECONDS)).isOne();
        semaphores.forEach(Semaphore::close);
    }

    /** A closed descriptor's number may be reused at once. */
    @Test
    void reusedDescriptorWorks() throws Exception {
        for (int i = 0; i < 50; i++) {
            Semaphore other = new Semaphore();
            EventSource otherSource = new EventSource("get_test_event", other.fd());
            Future<Long> waiter = threads.submit(() -> otherSource.await(FOR_EVER, other::fetch));
            if (i % 2 == 0) {
                Thread.sleep(1);
            }
            other.post(1);
            assertThat(waiter.get(Patience.SECONDS, TimeUnit.SECONDS)).isOne();
            otherSource.close();
            other.close();
        }
    }

    @Test
    void wakeUpEndsOneWaitWithoutAnEvent() throws Exception {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        Future<Long> result = threads.submit(() -> {
            waiter.set(Thread.currentThread());
            return await(FOR_EVER);
        });
        while (waiter.get() == null) {
            Thread.sleep(1);
        }
        awaitWaiting(waiter.get());
        source.wake();
        assertThat(result.get(Patience.SECONDS, TimeUnit.SECONDS)).isNull();
        Future<Long> next = threads.submit(() -> await(FOR_EVER));
        semaphore.post(1);
        assertThat(next.get(Patience.SECONDS, TimeUnit.SECONDS)).isOne();
    }

    @Test
    void wakeUpBeforeWaitEndsNextWait() {
        source.wake();
        source.wake();
        semaphore.post(1);
        assertThat(await(FOR_EVER)).as("an event comes first").isOne();
        assertThat(await(0)).as("does not wait").isNull();
        assertThat(await(FOR_EVER)).isNull();
        assertThat(await(TimeUnit.MILLISECONDS.toNanos(5))).isNull();
        source.close();
        source.wake();
    }

    /** The loop of a program that waits elsewhere: on a notification it reads until nothing is left. */
    @Test
    void actionRunsAfterEachEmptyLook() throws Exception {
        java.util.concurrent.Semaphore told = new java.util.concurrent.Semaphore(0);
        semaphore.post(1);
        assertThat(source.onEvent(told::release)).isZero();
        for (int i = 0; i < 50; i++) {
            int found = 0;
            while (found == 0) { // it may run for nothing
                assertThat(told.tryAcquire(Patience.SECONDS, TimeUnit.SECONDS))
                        .as("event %s", i)
                        .isTrue();
                while (await(0) != null) {
                    found++;
                }
            }
            assertThat(found).isOne();
            semaphore.post(1);
        }
        source.close();
        assertThat(source.onEvent(told::release)).isEqualTo(Errno.EBADF);
    }

    @Test
    void failedActionRunsAgain() throws Exception {
        java.util.concurrent.Semaphore told = new java.util.concurrent.Semaphore(0);
        source.onEvent(() -> {
            told.release();
            throw new IllegalStateException("of the program");
        });
        for (int i = 0; i < 2; i++) {
            assertThat(await(0)).isNull();
            semaphore.post(1);
            assertThat(told.tryAcquire(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(await(0)).isOne();
        }
        source.onEvent(null);
        assertThat(await(0)).isNull();
    }

    @Test
    void invalidDescriptorIsRefused() {
        assertThatThrownBy(() -> new EventSource("get_test_event", -1))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF))
                .hasMessageContaining("the event descriptor -1 can't be made non-blocking");
    }
}
