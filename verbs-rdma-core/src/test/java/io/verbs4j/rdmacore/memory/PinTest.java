/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.testsupport.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Patience.TEST_SECONDS)
class PinTest {
    private final Pin pin = new Pin();

    @Test
    void enteringAfterCloseFails() {
        assertThat(pin.enter()).isTrue();
        assertThat(pin.enter()).isTrue();
        pin.leave();
        pin.leave();
        pin.close();
        assertThat(pin.enter()).isFalse();
        assertThat(pin.enter()).isFalse();
        pin.close(); // again: the refused entry has left nothing behind
        pin.reopen();
        assertThat(pin.enter()).isTrue();
    }

    @Test
    void closeWaitsForUsers() throws InterruptedException {
        assertThat(pin.enter()).isTrue();
        CountDownLatch closed = new CountDownLatch(1);
        Thread closer = new Thread(() -> {
            pin.close();
            closed.countDown();
        });
        closer.start();
        while (pin.enter()) { // until the other thread has begun to close
            pin.leave();
        }
        assertThat(closed.await(100, TimeUnit.MILLISECONDS)).isFalse();
        pin.leave();
        assertThat(closed.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        closer.join();
    }

    /** An object in use is never destroyed: it is removed and restored while threads use it. */
    @Test
    void pinnedObjectStaysOpen() throws InterruptedException {
        AtomicBoolean there = new AtomicBoolean(true);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger uses = new AtomicInteger();
        AtomicInteger gone = new AtomicInteger();
        Thread[] users = new Thread[2];
        for (int i = 0; i < users.length; i++) {
            users[i] = new Thread(() -> {
                while (!stop.get()) {
                    if (pin.enter()) {
                        if (!there.get()) {
                            gone.incrementAndGet();
                        }
                        uses.incrementAndGet();
                        pin.leave();
                    }
                }
            });
            users[i].start();
        }
        for (int i = 0; i < 50; i++) {
            int before = uses.get();
            while (uses.get() == before) {
                Thread.onSpinWait();
            }
            pin.close();
            there.set(false);
            Thread.onSpinWait();
            there.set(true);
            pin.reopen();
        }
        stop.set(true);
        for (Thread user : users) {
            user.join();
        }
        assertThat(gone).hasValue(0);
    }

    /** After an error as well: the object still exists, and may be closed again when there is memory. */
    @Test
    void failedCloseReopens() {
        assertThatThrownBy(() -> pin.closeFor(() -> {
                    throw new OutOfMemoryError("no memory to end it");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(pin.isOpen()).isTrue();
        assertThatThrownBy(() -> pin.closeFor(() -> {
                    throw new IllegalStateException("it is busy");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(pin.enter()).isTrue();
        pin.leave();
    }

    @Test
    void closeKeepsInterruptStatus() throws InterruptedException {
        assertThat(pin.enter()).isTrue();
        Thread user = new Thread(() -> {
            try {
                TimeUnit.MILLISECONDS.sleep(50);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            pin.leave();
        });
        Thread.currentThread().interrupt();
        try {
            user.start();
            pin.close();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        user.join();
    }
}
