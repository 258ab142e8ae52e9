/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.base.ToolException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RemoteMemoryTest {
    private static final RemoteMemory MEMORY = new RemoteMemory(0x0102030405060708L, 0x090a0b0c, 0x0d0e0f10);

    @Test
    void memoryIsEncodedBigEndian() {
        assertThat(HexFormat.of().formatHex(MEMORY.toWire())).isEqualTo("6d656d310102030405060708090a0b0c0d0e0f10");
        assertThat(RemoteMemory.fromWire(MEMORY.toWire())).isEqualTo(MEMORY);
    }

    @Test
    void otherBytesAreRefused() {
        byte[] wire = MEMORY.toWire();
        wire[3] = 'F';
        assertThatThrownBy(() -> RemoteMemory.fromWire(wire))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("give both sides --write");
    }
}
