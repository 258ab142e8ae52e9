/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TransportTypeTest {
    @Test
    void transportIsFoundByTwoWordLabel() throws Exception {
        String[] words = TransportType.label(Transports.RC_READ).split(" ", -1);

        assertThat(words).hasSize(2);
        assertThat(TransportType.named(words[0], words[1])).isSameAs(Transports.RC_READ);
    }

    @Test
    void unknownTransportIsNamed() {
        assertThatThrownBy(() -> TransportType.named(Transports.class.getName(), "PIGEON"))
                .hasMessageContaining("PIGEON");
    }
}
