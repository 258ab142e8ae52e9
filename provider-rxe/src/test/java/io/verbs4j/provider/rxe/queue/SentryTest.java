/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that waits for events at a post, where an unpark does not reach it. */
@Timeout(Patience.TEST_SECONDS)
class SentryTest {
    private static final long FOR_EVER = -1;

    /** A post that one thread at a time can have, waiting there for a permit. */
    private static final class OnePost extends CountingWaiters implements EventQueue.Post {
        final Semaphore permits = new Semaphore(0);
        final AtomicInteger callBacks = new AtomicInteger();
        final AtomicInteger waits = new AtomicInteger();
        volatile Thread manned;
        volatile boolean closed;
        volatile Runnable packets = () -> {};

        @Override
        public synchronized EventQueue.Post post() {
            if (manned != null) {
                return null;
            }
            manned = Thread.currentThread();
            return this;
        }

        @Override
        public boolean await(long nanos) {
            assertThat(Thread.currentThread()).isSameAs(manned);
            if (closed) {
                return false;
            }
            waits.incrementAndGet();
            packets.run();
            try {
                boolean unused = permits.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return true;
        }

        @Override
        public void callBack() {
            callBacks.incrementAndGet();
            permits.release();
        }

        @Override
        public synchronized void leave() {
            if (manned == Thread.currentThread()) {
                manned = null;
            }
        }

        void awaitWaits(int least) throws InterruptedException {
            while (waits.get() < least) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
    }

    private final OnePost post = new OnePost();
    private final EventQueue<Integer> events = new EventQueue<>("get", "source", post);

    private static <T> FutureTask<T> start(Callable<T> what) {
        FutureTask<T> task = new FutureTask<>(what);
        new Thread(task).start();
        return task;
    }

    private Object fetch() {
        try {
            return events.get(FOR_EVER);
        } catch (VerbsException e) {
            return e;
        }
    }

    private void assertLeft() {
        assertThat(post.manned).isNull();
        assertThat(post.waiting).hasValue(0);
    }

    @Test
    void eventCallsSentryBack() throws Exception {
        FutureTask<Object> sentry = start(this::fetch);
        post.awaitWaits(1);
        events.add(7);
        assertThat(sentry.get()).isEqualTo(7);
        assertThat(post.callBacks).hasValue(1);
        assertLeft();
    }

    @Test
    void wakeUpCallsSentryBack() throws Exception {
        FutureTask<Object> sentry = start(this::fetch);
        post.awaitWaits(1);
        events.wake();
        assertThat(sentry.get()).isNull();
        assertLeft();
    }

    @Test
    void closingCallsSentryBackAndWakesOthers() throws Exception {
        FutureTask<Object> sentry = start(this::fetch);
        post.awaitWaits(1);
        FutureTask<Object> parked = start(this::fetch);
        while (post.waiting.get() < 2) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        events.close();
        assertThat(sentry.get())
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
        assertThat(parked.get()).isInstanceOf(VerbsException.class);
        assertLeft();
    }

    @Test
    void eachThreadGetsAnEvent() throws Exception {
        FutureTask<Object> sentry = start(this::fetch);
        post.awaitWaits(1);
        FutureTask<Object> parked = start(this::fetch);
        while (post.waiting.get() < 2) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        events.add(1);
        events.add(1);
        assertThat(sentry.get()).isEqualTo(1);
        assertThat(parked.get()).isEqualTo(1);
        assertLeft();
    }

    @Test
    void ownEventNeedsNoCallBack() {
        post.packets = () -> {
            events.add(3);
            post.permits.release();
        };
        assertThat(fetch()).isEqualTo(3);
        assertThat(post.callBacks).hasValue(0);
        assertThat(post.waits).hasValue(1);
        assertLeft();
    }

    /** It waits there only while there is no event, and parks once it cannot wait there any more. */
    @Test
    void sentryParksWhenPostCloses() throws Exception {
        FutureTask<Object> sentry = start(this::fetch);
        post.awaitWaits(1);
        post.closed = true;
        post.permits.release();
        while (post.manned != null) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        events.add(9);
        assertThat(sentry.get()).isEqualTo(9);
        assertThat(post.callBacks).hasValue(0);
        assertLeft();
    }

    @Test
    void sentryObservesTimeout() {
        long begin = System.nanoTime();
        assertThat(events.get(TimeUnit.MILLISECONDS.toNanos(20))).isNull();
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
        assertLeft();
    }

    @Test
    void interruptEndsWaitOfSentry() throws Exception {
        Thread[] sentry = new Thread[1];
        FutureTask<Object> fetched = start(() -> {
            sentry[0] = Thread.currentThread();
            return fetch();
        });
        post.awaitWaits(1);
        sentry[0].interrupt();
        assertThat(fetched.get())
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINTR));
        assertLeft();
    }
}
