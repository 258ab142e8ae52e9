/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.bulk.strategy.Protocol;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device that refuses requests is checked for loss. */
class DeviceCheckTest {
    private static final Protocol ALL = new Protocol(false, true, false, true, true);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusedRequestChecksDevice(boolean lost) {
        List<Integer> asked = new ArrayList<>();
        try (LinkHarness harness = new LinkHarness(ALL)) {
            harness.transfers.devices((load, errno) -> {
                assertThat(load).isSameAs(harness.link.load);
                asked.add(errno);
                if (lost) {
                    load.lose();
                    harness.link.deviceLost();
                }
                return lost;
            });
            harness.posts.errno = Errno.ENODEV;
            harness.link.message(1, 2, 3);
            harness.turn();
            assertThat(asked).containsExactly(Errno.ENODEV);
            assertThat(harness.posts.failed).isTrue();
            assertThat(harness.link.reason()).isEqualTo(lost ? Errno.ENODEV : Errno.EIO);
            assertThat(harness.link.isOver(System.nanoTime()))
                    .as("nothing waits for completions of a lost device")
                    .isEqualTo(lost);
        }
    }
}
