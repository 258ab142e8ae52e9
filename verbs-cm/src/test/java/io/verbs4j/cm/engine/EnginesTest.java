/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Device;
import io.verbs4j.NodeType;
import io.verbs4j.TransportType;
import io.verbs4j.provider.old.OldDevice;
import org.junit.jupiter.api.Test;

/** What is said of a device that has no connection manager. */
class EnginesTest {
    private static final class StrangersDevice extends Device {
        StrangersDevice() {
            super("other0", 1, NodeType.CA, TransportType.IB);
        }
    }

    @Test
    void providerThatIsTooOldIsSaidToBe() {
        assertThat(Engines.withoutManager(new OldDevice()))
                .contains("old0", "io.verbs4j.provider.old", "is too old for verbs-cm", "release 1.2 or newer");
    }

    @Test
    void providerOfOthersHasNone() {
        assertThat(Engines.withoutManager(new StrangersDevice()))
                .contains("other0", "io.verbs4j.cm.engine", "has none")
                .doesNotContain("too old");
    }
}
