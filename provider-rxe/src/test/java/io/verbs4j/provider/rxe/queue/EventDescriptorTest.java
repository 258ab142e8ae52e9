/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.verbs4j.provider.rxe.link.EventFd;
import io.verbs4j.provider.rxe.link.EventLoop;
import io.verbs4j.testsupport.OwnThreads;
import io.verbs4j.testsupport.Patience;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The descriptor of an event queue, as an event loop outside Java sees it. */
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class EventDescriptorTest {
    private final EventLoop loop = new EventLoop();
    private final CountingWaiters waiters = new CountingWaiters();
    private final AtomicInteger waiting = waiters.waiting;
    private final EventQueue<Integer> events = new EventQueue<>("get", "source", waiters);

    private int descriptor() {
        return events.descriptor(loop::newEventFd);
    }

    private boolean isReadable() {
        return loop.isReadable(descriptor());
    }

    @AfterEach
    void close() {
        events.close();
        loop.close();
    }

    @Test
    void readableFromFirstEventToLast() {
        assertThat(isReadable()).isFalse();
        for (int i = 0; i < 3; i++) {
            events.add(1);
            assertThat(isReadable()).isTrue();
            events.add(2);
            assertThat(events.get(0)).isEqualTo(1);
            assertThat(isReadable()).as("readable with one event left").isTrue();
            assertThat(events.get(-1)).isEqualTo(2);
            assertThat(isReadable()).isFalse();
        }
    }

    @Test
    void earlierEventsMakeItReadable() {
        events.add(1);
        events.add(2);
        assertThat(isReadable()).isTrue();
        assertThat(events.get(0)).isEqualTo(1);
        assertThat(events.get(0)).isEqualTo(2);
        assertThat(isReadable()).isFalse();
    }

    @Test
    void numberStaysSameUntilClose() {
        int first = descriptor();
        assertThat(first).isPositive();
        assertThat(descriptor()).isEqualTo(first);
        assertThat(loop.isOpen(first)).isTrue();
        events.close();
        assertThat(loop.isOpen(first)).isFalse();
        assertThat(descriptor()).isEqualTo(-1);
    }

    @Test
    void droppedEventsLeaveItUnreadable() {
        events.add(1);
        events.add(2);
        assertThat(isReadable()).isTrue();
        events.removeIf(e -> e == 1);
        assertThat(isReadable()).isTrue();
        events.removeIf(e -> e == 2);
        assertThat(isReadable()).isFalse();
    }

    @Test
    void wakeUpMakesItReadableUntilTaken() {
        assertThat(isReadable()).isFalse();
        events.wake();
        events.wake();
        assertThat(isReadable()).isTrue();
        assertThat(events.get(0)).as("event without waiting").isNull();
        assertThat(isReadable()).isTrue();
        events.add(1);
        assertThat(events.get(-1)).isEqualTo(1);
        assertThat(isReadable()).as("readable with the wake-up left").isTrue();
        assertThat(events.get(-1)).isNull();
        assertThat(isReadable()).isFalse();
    }

    @Test
    void earlierWakeUpMakesItReadable() {
        events.wake();
        assertThat(isReadable()).isTrue();
        assertThat(events.get(-1)).isNull();
        assertThat(isReadable()).isFalse();
    }

    /** As with a waiting thread, the device moves packets itself. */
    @Test
    void descriptorCountsAsWaiter() {
        assertThat(waiting).hasValue(0);
        descriptor();
        descriptor();
        assertThat(waiting).hasValue(1);
        events.close();
        events.close();
        assertThat(waiting).hasValue(0);
    }

    @Test
    void loopThatWaitsSeesClose() throws Exception {
        int fd = descriptor();
        CompletableFuture<Integer> seen = OwnThreads.supply(() -> loop.poll(fd, 60));
        events.close();
        assertThat(seen.get(30, TimeUnit.SECONDS)).as("poll result after close").isNotZero();
    }

    @Test
    void noEdgeIsLostBetweenTwoThreads() throws Exception {
        int all = 50_000;
        int fd = descriptor();
        CompletableFuture<Void> adding = OwnThreads.run(() -> {
            for (int i = 0; i < all; i++) {
                events.add(i);
                if (i % 8 == 0) {
                    Thread.onSpinWait();
                }
            }
        });
        int next = 0;
        while (next < all) {
            assertThat(loop.awaitReadable(fd)).as("event " + next).isTrue();
            for (Integer event; (event = events.get(0)) != null; next++) {
                assertThat(event).isEqualTo(next);
            }
        }
        adding.get(30, TimeUnit.SECONDS);
        assertThat(isReadable()).isFalse();
    }

    @Test
    void signallingAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int many = 1000;
        int fd = descriptor();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < many; i++) {
                events.add(1);
                events.get(0);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(loop.isReadable(fd)).isFalse();
        // The measurement itself allocates some; an allocation per event would occur each time.
        assertThat(least).isLessThan(many);
    }

    @Test
    void concurrentCallsGetSameDescriptor() throws Exception {
        CompletableFuture<Integer> other = new CompletableFuture<>();
        int mine = events.descriptor(() -> {
            EventFd made = loop.newEventFd();
            other.complete(descriptor()); // another thread is first
            return made;
        });
        assertThat(mine).isPositive().isEqualTo(other.get());
        assertThat(waiting).hasValue(1);
        events.add(1);
        assertThat(loop.isReadable(mine)).isTrue();
    }

    @Test
    void fullDescriptorTableLeavesNone() {
        events.add(1);
        int[] answers = new int[1];
        loop.withoutFiles(() -> answers[0] = descriptor());
        assertThat(answers).containsExactly(-1);
        assertThat(waiting).hasValue(0);
        assertThat(events.get(0)).isEqualTo(1);
        events.add(2);
        assertThat(isReadable()).as("descriptor opened later is readable").isTrue();
    }
}
