/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.nio.ByteBuffer;

/**
 * DREQ: disconnects. Offsets are relative to the packet's data.
 *
 * <pre>{@code
 *   0  local communication id (32)
 *   4  remote communication id (32)
 *   8  queue pair of the receiver (24)
 *  12  private data (220 bytes)
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 12.6.
 */
final class Dreq extends Mad {
    static final int PRIVATE_DATA_LENGTH = 220;

    Dreq() {
        super(DREQ);
    }

    Dreq(ByteBuffer b) {
        super(b);
    }

    int remoteId() {
        return u32(4);
    }

    void remoteId(int value) {
        u32(4, value);
    }

    int remoteQpNum() {
        return u24(8);
    }

    void remoteQpNum(int value) {
        u24(8, value);
    }

    byte[] privateData() {
        return bytes(12, PRIVATE_DATA_LENGTH);
    }

    void privateData(byte[] value) {
        bytes(12, PRIVATE_DATA_LENGTH, value);
    }
}
