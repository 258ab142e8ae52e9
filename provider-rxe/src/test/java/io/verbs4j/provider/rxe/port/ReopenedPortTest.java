/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device is closed and reopened while its thread is busy: close does not wait. */
@Timeout(Patience.TEST_SECONDS)
class ReopenedPortTest {
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private volatile boolean holds;
    private volatile Thread held;

    /** The device's clock, which its thread reads in each pass. */
    private long nanos() {
        if (holds && Thread.currentThread().getName().endsWith("-worker")) {
            holds = false;
            held = Thread.currentThread();
            inside.countDown();
            await(mayGoOn);
        }
        return System.nanoTime();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void oldThreadSharesNothingWithReopenedPort() throws InterruptedException {
        TestContext context = TestContext.open(this::nanos);
        PortWorker before = context.port().worker();
        holds = true;
        await(inside);
        context.close();
        try (TestContext again = context.again()) {
            assertThat(again.port().worker()).isNotSameAs(before);
            mayGoOn.countDown();
            held.join(); // it ends, and the device continues without it
        } finally {
            mayGoOn.countDown();
        }
    }
}
