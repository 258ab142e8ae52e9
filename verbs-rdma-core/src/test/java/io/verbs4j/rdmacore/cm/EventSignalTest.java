/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rdmacore.event.FdPoller;
import io.verbs4j.testsupport.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The descriptor of an event channel, as a poller sees it. */
@Timeout(Patience.TEST_SECONDS)
class EventSignalTest {
    @Test
    void descriptorIsReadableFromRaiseToClear() throws Exception {
        EventSignal signal = EventSignal.open();
        int fd = signal.descriptor();
        Semaphore told = new Semaphore(0);
        try (FdPoller.Watch watch = FdPoller.shared().watch(fd, told::release)) {
            for (int i = 0; i < 3; i++) {
                watch.arm();
                assertThat(told.tryAcquire(20, TimeUnit.MILLISECONDS))
                        .as("before it is raised")
                        .isFalse();
                signal.raise();
                assertThat(told.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
                watch.arm();
                assertThat(told.tryAcquire(30, TimeUnit.SECONDS))
                        .as("until it is cleared")
                        .isTrue();
                signal.raise();
                signal.clear();
            }
            signal.clear(); // does not block
        } finally {
            signal.close();
        }
        // Another thread may have opened a file meanwhile, which gets the same number.
        Path open = Path.of("/proc/self/fd/" + fd);
        assertThat(Files.isSymbolicLink(open)
                        && Files.readSymbolicLink(open).toString().contains("eventfd"))
                .as("closed")
                .isFalse();
    }
}
