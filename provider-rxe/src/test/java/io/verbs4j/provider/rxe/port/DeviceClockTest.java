/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DeviceClockTest {
    private static final long START = 1_000_000_000;
    private static final long STEP = DeviceClock.STEP;

    private final AtomicLong nanos = new AtomicLong(START);
    private final DeviceClock clock = new DeviceClock(nanos::get);

    @Test
    void clockRunsWhileStepped() {
        clock.step();
        for (int i = 1; i <= 1000; i++) {
            nanos.addAndGet(STEP / 2);
            assertThat(clock.now()).isEqualTo(nanos.get());
            assertThat(clock.lately()).isEqualTo(nanos.get() - STEP / 2);
            assertThat(clock.step()).isEqualTo(nanos.get());
            assertThat(clock.lately()).isEqualTo(nanos.get());
        }
    }

    @Test
    void clockStopsWhenNotStepped() {
        clock.step();
        nanos.addAndGet(100 * STEP);
        assertThat(clock.now()).isEqualTo(START + STEP);
        nanos.addAndGet(100 * STEP);
        assertThat(clock.now()).isEqualTo(START + STEP);
        assertThat(clock.step()).isEqualTo(START + STEP);
        nanos.addAndGet(1);
        assertThat(clock.now()).isEqualTo(START + STEP + 1);
    }

    @Test
    void clockNeverGoesBackForAnyReader() throws InterruptedException {
        DeviceClock real = new DeviceClock(System::nanoTime);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong back = new AtomicLong();
        Thread reader = new Thread(() -> {
            long last = real.now();
            while (!stop.get()) {
                long now = real.now();
                if (now < last) {
                    back.incrementAndGet();
                }
                last = now;
            }
        });
        reader.start();
        for (int i = 0; i < 20; i++) {
            Thread.sleep(i % 2 == 0 ? 0 : 8); // longer than a step
            real.step();
        }
        stop.set(true);
        reader.join();
        assertThat(back).hasValue(0);
    }
}
