/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NapTest {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    @Test
    void interruptedThreadWaitsAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        try {
            long start = System.nanoTime();
            for (int i = 0; i < 20; i++) { // a wait may end early by chance
                Nap.nanos(NANOS);
            }
            assertThat(System.nanoTime() - start).isGreaterThan(10 * NANOS);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void interruptedThreadWaitsWithBlockerOrAfterSpinning() {
        Thread.currentThread().interrupt();
        try {
            long start = System.nanoTime();
            for (int i = 0; i < 10; i++) { // a wait may end early by chance
                Nap.nanos(this, NANOS);
                Nap.spin(1, 1, NANOS);
            }
            assertThat(System.nanoTime() - start).isGreaterThan(10 * NANOS);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }
}
