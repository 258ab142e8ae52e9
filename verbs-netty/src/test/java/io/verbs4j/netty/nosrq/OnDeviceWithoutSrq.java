/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.nosrq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Makes the device without shared receive queues the default while a test class runs. */
public final class OnDeviceWithoutSrq implements BeforeAllCallback, AfterAllCallback {
    private static final String DEFAULT_DEVICE = "io.verbs4j.device";

    private String before;
    private int queuePairs;

    @Override
    public void beforeAll(ExtensionContext context) {
        before = System.getProperty(DEFAULT_DEVICE);
        queuePairs = NoSrqProvider.QUEUE_PAIRS.get();
        System.setProperty(NoSrqProvider.PROPERTY, "true");
        System.setProperty(DEFAULT_DEVICE, NoSrqProvider.DEVICE);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        System.clearProperty(NoSrqProvider.PROPERTY);
        if (before == null) {
            System.clearProperty(DEFAULT_DEVICE);
        } else {
            System.setProperty(DEFAULT_DEVICE, before);
        }
        assertThat(NoSrqProvider.QUEUE_PAIRS.get())
                .as("queue pairs on %s", NoSrqProvider.DEVICE)
                .isGreaterThan(queuePairs);
    }
}
