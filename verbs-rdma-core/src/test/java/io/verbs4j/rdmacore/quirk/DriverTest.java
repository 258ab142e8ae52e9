/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.quirk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The table of drivers. Recognition from files is tested with {@code KernelDevice}. */
class DriverTest {
    private static Driver of(Map<String, String> attributes) {
        return Driver.of(name -> Optional.ofNullable(attributes.get(name)));
    }

    private static List<Driver> with(Predicate<Quirks> quirk) {
        return Arrays.stream(Driver.values())
                .filter(driver -> quirk.test(driver.quirks()))
                .toList();
    }

    @Test
    void unknownDeviceHasNoQuirks() {
        assertThat(of(Map.of())).isEqualTo(Driver.OTHER);
        assertThat(of(Map.of("device/modalias", "acpi:HISI00D1:"))).isEqualTo(Driver.OTHER);
        assertThat(Driver.OTHER.quirks()).isSameAs(Quirks.NONE);
        assertThat(Driver.GAUDI.quirks()).isSameAs(Quirks.NONE);
    }

    @Test
    void eachQuirkIsOfItsDriverAlone() {
        assertThat(with(quirks -> quirks.accessFlags() != 0)).containsExactly(Driver.RXE, Driver.MLX5);
        assertThat(with(quirks -> quirks.createFlags() != 0)).containsExactly(Driver.MLX5);
        assertThat(with(Quirks::mayBuildMore)).containsExactly(Driver.RXE);
        assertThat(with(Quirks::importsObjects)).containsExactly(Driver.MLX5);
        assertThat(with(quirks -> quirks.onDemandProblem() != null)).containsExactly(Driver.RXE);
        assertThat(with(Quirks::bindReadsTheRegion)).containsExactly(Driver.RXE);
        assertThat(with(Quirks::needsValidWindows)).containsExactly(Driver.RXE);
        assertThat(with(quirks -> quirks.mostStrangers() > 0)).containsExactly(Driver.EFA);
        assertThat(with(Quirks::tellsKeysByKernelsFlag)).containsExactly(Driver.RXE);
        assertThat(with(Quirks::endsReadingTwice)).containsExactly(Driver.RXE);
        assertThat(with(Quirks::needsClock)).containsExactly(Driver.MLX5);
        assertThat(with(Quirks::copiesFromCompletions)).containsExactly(Driver.MLX5);
        assertThat(with(quirks -> quirks.openQpProblem() != null)).containsExactly(Driver.MLX5);
        assertThat(with(Quirks::spoilsFullQueue)).containsExactly(Driver.MLX5);
        assertThat(with(Quirks::reservesSrqElements)).containsExactly(Driver.MLX5);
    }

    @Test
    void onlyDriverThatNeedsItHasClockAndOwnQueuePairs() {
        assertThatThrownBy(() -> Quirks.NONE.clock(0)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> Quirks.NONE.createQpWithoutCopies(0, 0))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
