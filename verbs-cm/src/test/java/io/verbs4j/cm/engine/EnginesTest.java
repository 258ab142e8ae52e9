/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Device;
import io.verbs4j.NodeType;
import io.verbs4j.TransportType;
import io.verbs4j.provider.old.OldDevice;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages for devices without a connection manager. */
class EnginesTest {
    private static final class StrangersDevice extends Device {
        StrangersDevice() {
            super("other0", 1, NodeType.CA, TransportType.IB);
        }
    }

    /** A library of level 1 does not know the name of the provider, so the message contains the package. */
    @ParameterizedTest
    @CsvSource({"rxe, rxe", "mlx5, mlx5", "rdma-core, rdma-core", "?, io.verbs4j.provider.old"})
    void tooOldProviderIsReported(String provider, String which) {
        assertThat(Engines.withoutManager(new OldDevice(), provider))
                .contains("old0", "its provider, " + which + ", is too old for verbs-cm", "release 1.2 or newer");
    }

    /** The class of a device may belong to another provider: Gaudi's devices use classes of verbs-rdma-core. */
    @ParameterizedTest
    @ValueSource(strings = {"gaudi", "efa"})
    void ownProviderWithoutManagerIsReported(String provider) {
        assertThat(Engines.withoutManager(new OldDevice(), provider))
                .endsWith("device old0: its provider, " + provider + ", does not have one");
    }

    @ParameterizedTest
    @CsvSource({"other, other", "rxe, rxe", "?, io.verbs4j.cm.engine"})
    void foreignProviderWithoutManagerIsReported(String provider, String which) {
        assertThat(Engines.withoutManager(new StrangersDevice(), provider))
                .endsWith("device other0: its provider, " + which + ", does not have one");
    }
}
