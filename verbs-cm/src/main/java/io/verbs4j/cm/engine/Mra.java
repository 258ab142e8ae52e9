/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.nio.ByteBuffer;

/**
 * MRA: announces that an answer takes longer. Offsets are relative to the packet's data.
 *
 * <pre>{@code
 *   0  local communication id (32)
 *   4  remote communication id (32)
 *   8  message (2): 0 REQ, 1 REP, 2 other
 *   9  service timeout (5)
 *  10  private data (222 bytes)
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 12.6.
 */
final class Mra extends Mad {
    static final int PRIVATE_DATA_LENGTH = 222;

    Mra() {
        super(MRA);
    }

    Mra(ByteBuffer b) {
        super(b);
    }

    int remoteId() {
        return u32(4);
    }

    void remoteId(int value) {
        u32(4, value);
    }

    int message() {
        return bits(8, 6, 2);
    }

    void message(int value) {
        bits(8, 6, 2, value);
    }

    int serviceTimeout() {
        return bits(9, 3, 5);
    }

    void serviceTimeout(int value) {
        bits(9, 3, 5, value);
    }

    byte[] privateData() {
        return bytes(10, PRIVATE_DATA_LENGTH);
    }

    void privateData(byte[] value) {
        bytes(10, PRIVATE_DATA_LENGTH, value);
    }
}
