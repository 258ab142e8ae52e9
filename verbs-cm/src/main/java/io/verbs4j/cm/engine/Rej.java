/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.nio.ByteBuffer;

/**
 * REJ: rejects a connection. Offsets are relative to the packet's data.
 *
 * <pre>{@code
 *   0  local communication id (32)
 *   4  remote communication id (32)
 *   8  message (2): 0 REQ, 1 REP, 2 none
 *   9  length of the additional information (7)
 *  10  reason (16)
 *  12  additional information (72 bytes)
 *  84  private data (148 bytes)
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 12.6.
 */
final class Rej extends Mad {
    static final int PRIVATE_DATA_LENGTH = 148;

    static final int INFO_LENGTH = 72;

    Rej() {
        super(REJ);
    }

    Rej(ByteBuffer b) {
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

    int infoLength() {
        return bits(9, 1, 7);
    }

    void infoLength(int value) {
        bits(9, 1, 7, value);
    }

    int reason() {
        return u16(10);
    }

    void reason(int value) {
        u16(10, value);
    }

    byte[] info() {
        return bytes(12, INFO_LENGTH);
    }

    void info(byte[] value) {
        bytes(12, INFO_LENGTH, value);
    }

    byte[] privateData() {
        return bytes(84, PRIVATE_DATA_LENGTH);
    }

    void privateData(byte[] value) {
        bytes(84, PRIVATE_DATA_LENGTH, value);
    }

    /** The GUID in the additional information, which identifies a sender that does not know the receiver's id. */
    long infoGuid() {
        return u64(12);
    }

    void infoGuid(long value) {
        infoLength(Long.BYTES);
        u64(12, value);
    }
}
