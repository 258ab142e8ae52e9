/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.ToolException;
import io.verbs4j.tools.device.FakeDevices;
import org.junit.jupiter.api.Test;

class StopwatchTest {
    @Test
    void ticksOfAnOddRate() {
        assertThat(Stopwatch.nanosOfTicks(156_250, 156_250)).isEqualTo(1_000_000);
        assertThat(Stopwatch.nanosOfTicks(1, 156_250)).isEqualTo(6);
        assertThat(Stopwatch.nanosOfTicks(1_000_000_007L, 156_250)).isEqualTo(6_400_000_044L);
        assertThat(Stopwatch.nanosOfTicks(Long.MAX_VALUE, 1_000_000)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theJvmsClockNeedsNoStamp() {
        Stopwatch stopwatch = Stopwatch.ofJvm();
        long from = stopwatch.start();
        long to = stopwatch.end(0);
        assertThat(stopwatch.nanos(from, to)).isNotNegative().isEqualTo(to - from);
    }

    @Test
    void aDeviceWithoutTimeIsNamed() {
        FakeDevices devices = new FakeDevices("fake_0");
        assertThatThrownBy(() -> Stopwatch.ofDevice(devices.open(devices.list().get(0))))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("--timestamps: fake_0 tells no time of completions");
    }
}
