/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.Monitors;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait for events. */
@Timeout(Patience.TEST_SECONDS)
class EventQueueTest {
    private static final long FOR_EVER = -1;
    private static final long LONG = TimeUnit.MINUTES.toNanos(10);

    private final CountingWaiters waiters = new CountingWaiters();
    private final AtomicInteger waiting = waiters.waiting;
    private final EventQueue<Integer> events = new EventQueue<>("get", "source", waiters);

    /** A thread that fetches one event, with the result. */
    private final class Fetcher extends Thread {
        private final long timeout;
        Integer event;
        int errno;

        Fetcher(long timeout) {
            this.timeout = timeout;
            start();
        }

        @Override
        public void run() {
            try {
                event = events.get(timeout);
            } catch (VerbsException e) {
                errno = e.errno();
            }
        }

        Fetcher thatWaits() {
            Monitors.assertNoneIsHeldBy(this);
            return this;
        }
    }

    @Test
    void waitingHoldsNoMonitor() throws InterruptedException {
        Fetcher forEver = new Fetcher(FOR_EVER).thatWaits();
        Fetcher timed = new Fetcher(LONG).thatWaits();
        events.add(1);
        events.add(2);
        forEver.join();
        timed.join();
        assertThat(List.of(forEver.event, timed.event)).containsExactlyInAnyOrder(1, 2);
        assertThat(waiting).hasValue(0);
    }

    @Test
    void timeoutZeroDoesNotWait() {
        assertThat(events.get(0)).isNull();
        assertThat(events.get(1)).isNull();
        events.add(5);
        assertThat(events.get(0)).isEqualTo(5);
    }

    @Test
    void closingWakesAllThreads() throws InterruptedException {
        List<Fetcher> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(new Fetcher(i % 2 == 0 ? FOR_EVER : LONG).thatWaits());
        }
        events.close();
        for (Fetcher fetcher : all) {
            fetcher.join();
            assertThat(fetcher.errno).isEqualTo(Errno.EBADF);
        }
    }

    @Test
    void interruptEndsWait() throws InterruptedException {
        Fetcher interrupted = new Fetcher(FOR_EVER).thatWaits();
        Fetcher other = new Fetcher(FOR_EVER).thatWaits();
        interrupted.interrupt();
        interrupted.join();
        assertThat(interrupted.errno).isEqualTo(Errno.EINTR);
        events.add(1);
        other.join();
        assertThat(other.event).isEqualTo(1);
    }

    /** An event for which a thread was woken that then gives up goes to another one. */
    @Test
    void noEventIsLostWhenThreadsGiveUp() throws InterruptedException {
        Random random = new Random(17);
        int all = 2000;
        AtomicInteger fetched = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> fetchUntilClosed(fetched));
            thread.start();
            threads.add(thread);
        }
        for (int i = 0; i < all; i++) {
            events.add(i);
            if (random.nextInt(4) == 0) {
                threads.get(random.nextInt(threads.size())).interrupt();
            }
        }
        while (fetched.get() < all) {
            Thread.sleep(1);
        }
        events.close();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(fetched).hasValue(all);
        assertThat(waiting).hasValue(0);
    }

    @Test
    void wakeUpEndsOneWaitWithoutEvent() throws InterruptedException {
        for (long timeout : new long[] {FOR_EVER, LONG}) {
            Fetcher waiter = new Fetcher(timeout).thatWaits();
            events.wake();
            waiter.join();
            assertThat(waiter.event).isNull();
            assertThat(waiter.errno).isZero();
        }
        assertThat(waiting).hasValue(0);
    }

    @Test
    void wakeUpBeforeWaitEndsNextWaitAlone() throws InterruptedException {
        events.wake();
        events.wake();
        assertThat(events.get(0)).as("event without waiting").isNull();
        assertThat(events.get(FOR_EVER)).isNull();
        Fetcher next = new Fetcher(FOR_EVER).thatWaits();
        events.add(1);
        next.join();
        assertThat(next.event).isEqualTo(1);
    }

    @Test
    void eventComesBeforeWakeUpThatStaysPending() {
        events.wake();
        events.add(1);
        assertThat(events.get(FOR_EVER)).isEqualTo(1);
        assertThat(events.get(FOR_EVER)).isNull();
    }

    /** Wake-ups meet events and interrupted waiters: each wake-up that no other waiter took reaches one. */
    @Test
    void noWakeUpIsLostWhenThreadsGiveUp() throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            Fetcher first = new Fetcher(FOR_EVER);
            Fetcher second = new Fetcher(FOR_EVER);
            events.wake();
            first.interrupt();
            if (i % 2 == 0) {
                events.add(i);
            }
            first.join();
            if (first.errno == 0 && i % 2 != 0) {
                events.wake(); // the first one took the wake-up
            }
            second.join(TimeUnit.SECONDS.toMillis(Patience.SECONDS));
            assertThat(second.isAlive()).as("round %s", i).isFalse();
            int nothing = 0; // must not affect the next round: a wake-up also returns null once
            while (nothing < 2) {
                nothing = events.get(1) == null ? nothing + 1 : 0;
            }
        }
    }

    @Test
    void actionRunsOnceForEachEvent() {
        AtomicInteger runs = new AtomicInteger();
        assertThat(events.onEvent(runs::incrementAndGet)).isZero();
        assertThat(waiting).as("waiters").hasValue(1);
        events.add(1);
        events.add(2);
        assertThat(runs).hasValue(2);
        assertThat(events.onEvent(null)).isZero();
        assertThat(waiting).hasValue(0);
        events.add(3);
        assertThat(runs).hasValue(2);
        events.onEvent(runs::incrementAndGet);
        assertThat(runs).as("runs for events already queued").hasValue(3);
        events.close();
        assertThat(waiting).hasValue(0);
        assertThat(events.onEvent(runs::incrementAndGet)).isEqualTo(Errno.EBADF);
    }

    @Test
    void actionHoldsNoMonitorAndItsFailureIsContained() {
        List<Integer> seen = new ArrayList<>();
        events.onEvent(() -> {
            assertThat(Thread.holdsLock(events)).isFalse();
            seen.add(events.get(0));
            throw new IllegalStateException("action failed");
        });
        events.add(1);
        events.add(2);
        assertThat(seen).containsExactly(1, 2);
    }

    private void fetchUntilClosed(AtomicInteger fetched) {
        int errno = 0;
        while (errno != Errno.EBADF) {
            try {
                events.get(FOR_EVER);
                fetched.incrementAndGet();
            } catch (VerbsException e) {
                errno = e.errno();
                Thread.interrupted();
            }
        }
    }
}
