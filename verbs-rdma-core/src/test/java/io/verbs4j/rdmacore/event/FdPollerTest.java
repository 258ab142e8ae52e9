/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Patience.TEST_SECONDS)
class FdPollerTest {
    private final AtomicInteger told = new AtomicInteger();

    private void awaitTold(int count) throws InterruptedException {
        for (int i = 0; told.get() < count && i < 5000; i++) {
            Thread.sleep(2);
        }
        assertThat(told).hasValue(count);
    }

    @Test
    void watchFiresOncePerArming() throws InterruptedException {
        try (Semaphore semaphore = new Semaphore();
                FdPoller.Watch watch = FdPoller.shared().watch(semaphore.fd(), told::incrementAndGet)) {
            semaphore.post(1);
            Thread.sleep(30);
            assertThat(told).as("not armed yet").hasValue(0);
            watch.arm();
            awaitTold(1);
            Thread.sleep(30);
            assertThat(told).as("still readable, but already reported").hasValue(1);
            watch.arm();
            awaitTold(2);
        }
    }

    @Test
    void closedWatchDoesNotFire() throws InterruptedException {
        CountDownLatch other = new CountDownLatch(1);
        try (Semaphore semaphore = new Semaphore();
                Semaphore witness = new Semaphore();
                FdPoller.Watch stays = FdPoller.shared().watch(witness.fd(), other::countDown)) {
            FdPoller.Watch watch = FdPoller.shared().watch(semaphore.fd(), told::incrementAndGet);
            watch.arm();
            watch.close();
            watch.close(); // again
            watch.arm(); // too late, but no error
            semaphore.post(1);
            stays.arm();
            witness.post(1);
            assertThat(other.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(told).hasValue(0);
        }
    }

    @Test
    void failingWatchDoesNotStopOthers() throws InterruptedException {
        AtomicInteger failures = new AtomicInteger();
        Runnable failing = () -> {
            if (failures.getAndIncrement() == 0) {
                throw new OutOfMemoryError("thrown by the test; the callback runs again");
            }
            throw new InternalError("thrown by the test");
        };
        try (Semaphore semaphore = new Semaphore();
                Semaphore witness = new Semaphore();
                FdPoller.Watch fails = FdPoller.shared().watch(semaphore.fd(), failing);
                FdPoller.Watch stays = FdPoller.shared().watch(witness.fd(), told::incrementAndGet)) {
            semaphore.post(1);
            fails.arm();
            for (int i = 0; failures.get() < 2 && i < 5000; i++) {
                Thread.sleep(2);
            }
            assertThat(failures).hasValue(2);
            witness.post(1);
            stays.arm();
            awaitTold(1);
        }
    }

    @Test
    void invalidDescriptorIsRefused() throws InterruptedException {
        assertThatThrownBy(() -> FdPoller.shared().watch(987_654, told::incrementAndGet))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
        // The next watch works.
        try (Semaphore semaphore = new Semaphore();
                FdPoller.Watch watch = FdPoller.shared().watch(semaphore.fd(), told::incrementAndGet)) {
            semaphore.post(1);
            watch.arm();
            awaitTold(1);
        }
    }
}
