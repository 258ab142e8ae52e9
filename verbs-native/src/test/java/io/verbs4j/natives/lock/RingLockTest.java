/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.call.ProcessBarrier;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ownership of a ring's lock, and mutual exclusion. */
@Timeout(Patience.TEST_SECONDS)
class RingLockTest {
    private int plain;

    @Test
    void firstThreadOwnsLock() {
        RingLock lock = new RingLock(false);
        assertThat(lock.lock()).isEqualTo(ProcessBarrier.isAvailable());
        lock.unlock(ProcessBarrier.isAvailable());
    }

    @Test
    void lockingOnceGivesNoOwnership() {
        RingLock lock = new RingLock(false);
        assertThat(lock.lockOnce()).isFalse();
        lock.unlock(false);
    }

    @Test
    void otherThreadEndsOwnershipUntilOwnerReturnsOften() throws InterruptedException {
        RingLock lock = new RingLock(false);
        lock.unlock(lock.lock());
        Thread other = new Thread(() -> lock.unlock(lock.lockOnce()));
        other.start();
        other.join();
        boolean asOwner = lock.lock();
        assertThat(asOwner).isFalse();
        int times = 0;
        while (!asOwner && times++ < 100_000) {
            lock.unlock(false);
            asOwner = lock.lock();
        }
        lock.unlock(asOwner);
        assertThat(asOwner).isEqualTo(ProcessBarrier.isAvailable());
    }

    /** Without memory for an ownership the lock is still taken, and other threads get it afterwards. */
    @Test
    void lockWorksWithoutMemoryForOwnership() throws InterruptedException {
        RingLock lock = new RingLock(false, 3, thread -> {
            throw new OutOfMemoryError("as asked for");
        });
        for (int i = 0; i < 10; i++) {
            assertThat(lock.lock()).isFalse();
            lock.unlock(false);
        }
        Thread other = new Thread(() -> lock.unlock(lock.lock()));
        other.setDaemon(true); // if the lock is never released, it spins for ever
        other.start();
        other.join(TimeUnit.SECONDS.toMillis(Patience.SECONDS));
        assertThat(other.isAlive()).isFalse();
    }

    /** An owner at full speed and occasional other threads: no increment of a plain number is lost. */
    @Test
    void lockExcludesOtherThreads() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            RingLock lock = new RingLock(false);
            plain = 0;
            int each = 2_000;
            CountDownLatch begin = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                boolean often = t == 0;
                threads.add(new Thread(() -> {
                    await(begin);
                    for (int i = 0; i < (often ? each * 20 : each / 20); i++) {
                        boolean asOwner = often ? lock.lock() : lock.lockOnce();
                        plain++;
                        lock.unlock(asOwner);
                    }
                }));
            }
            threads.forEach(Thread::start);
            begin.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(plain).isEqualTo(each * 20 + 2 * (each / 20));
        }
    }

    /**
     * A thread that is delayed while it enters, until another thread owns the lock, enters neither beside that thread
     * nor in its place.
     */
    @Test
    void lateOwnerIsExcluded() throws InterruptedException {
        RingLock lock = new RingLock(false, 0);
        lock.unlock(lock.lock());
        RingLock.Ownership late = lock.ownership(); // what a post has read before it was delayed
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Thread next = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                lock.unlock(lock.lock());
            }
            boolean asOwner = lock.lock();
            inside.countDown();
            await(leave);
            lock.unlock(asOwner);
        });
        next.start();
        await(inside);
        assertThat(late.enter()).as("the ownership is over").isFalse();
        Thread third = new Thread(() -> lock.unlock(lock.lock()));
        third.start();
        third.join(100);
        assertThat(third.isAlive()).as("the third waits for the second").isTrue();
        leave.countDown();
        next.join();
        third.join();
    }

    /** Tests {@link RingLocks#awaitAll}: a thread that saw an object open has left before the object is destroyed. */
    @Test
    void awaitAllWaitsForHolders() throws InterruptedException {
        RingLocks locks = new RingLocks(false);
        RingLock lock = locks.make();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicBoolean gone = new AtomicBoolean();
        AtomicBoolean open = new AtomicBoolean(true);
        AtomicBoolean wrong = new AtomicBoolean();
        Thread owner = new Thread(() -> {
            while (!stop.get()) {
                boolean asOwner = lock.lock();
                if (open.get()) {
                    Thread.onSpinWait();
                    if (gone.get()) {
                        wrong.set(true);
                    }
                }
                lock.unlock(asOwner);
            }
        });
        owner.start();
        for (int i = 0; i < 20_000; i++) {
            open.set(false);
            locks.awaitAll();
            gone.set(true);
            gone.set(false);
            open.set(true);
        }
        stop.set(true);
        owner.join();
        assertThat(wrong).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
