/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The other class path is set only while the side is measured. */
class OnClassPathTest {
    private static final String OTHER = "/other/a.jar:/other/b";

    private final String own = System.getProperty(OnClassPath.PROPERTY);
    private final AtomicReference<String> seen = new AtomicReference<>();

    private double[] look(double seconds) {
        seen.set(System.getProperty(OnClassPath.PROPERTY));
        if (seconds < 0) {
            throw new IllegalStateException("fails");
        }
        return new double[] {seconds};
    }

    @Test
    void classPathIsSetDuringMeasurementOnly() throws Exception {
        OnClassPath side = new OnClassPath(this::look, OTHER);
        assertThat(side.measure(3)).containsExactly(3);
        assertThat(seen.get()).isEqualTo(OTHER);
        assertThat(System.getProperty(OnClassPath.PROPERTY)).isEqualTo(own);
        assertThat(side.needsWarmUp()).isTrue();
    }

    @Test
    void classPathIsRestoredAfterFailure() {
        assertThatThrownBy(() -> new OnClassPath(this::look, OTHER).measure(-1)).hasMessage("fails");
        assertThat(seen.get()).isEqualTo(OTHER);
        assertThat(System.getProperty(OnClassPath.PROPERTY)).isEqualTo(own);
    }
}
