/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.nio.ByteBuffer;

/**
 * RTU (ready to use): confirms a connection. Offsets are relative to the packet's data.
 *
 * <pre>{@code
 *   0  local communication id (32)
 *   4  remote communication id (32)
 *   8  private data (224 bytes)
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 12.6.
 */
final class Rtu extends Mad {
    static final int PRIVATE_DATA_LENGTH = 224;

    Rtu() {
        super(RTU);
    }

    Rtu(ByteBuffer b) {
        super(b);
    }

    int remoteId() {
        return u32(4);
    }

    void remoteId(int value) {
        u32(4, value);
    }

    byte[] privateData() {
        return bytes(8, PRIVATE_DATA_LENGTH);
    }

    void privateData(byte[] value) {
        bytes(8, PRIVATE_DATA_LENGTH, value);
    }
}
