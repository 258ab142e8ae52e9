/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.device.FakeDevices;
import org.junit.jupiter.api.Test;

class StopwatchTest {
    @Test
    void jvmClockIgnoresTimestamp() {
        Stopwatch stopwatch = Stopwatch.ofJvm();
        long from = stopwatch.start();
        long to = stopwatch.end(0);
        assertThat(stopwatch.nanos(from, to)).isNotNegative().isEqualTo(to - from);
    }

    @Test
    void deviceWithoutTimestampsFailsWithItsName() {
        FakeDevices devices = new FakeDevices("fake_0");
        assertThatThrownBy(() -> Stopwatch.ofDevice(devices.open(devices.list().get(0))))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("--timestamps: fake_0 does not time-stamp completions");
    }
}
