/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.nio.ByteBuffer;

/**
 * SIDR_REP: returns the queue pair of a datagram service. Offsets are relative to the packet's data.
 *
 * <pre>{@code
 *   0  request id (32)
 *   4  status (8): 0 ok, 1 nobody listens, 2 refused
 *   5  length of the additional information (8)
 *   8  queue pair (24)
 *  12  service id (64)
 *  20  Q_Key (32)
 *  24  additional information (72 bytes)
 *  96  private data (136 bytes)
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 12.6.
 */
final class SidrRep extends Mad {
    static final int PRIVATE_DATA_LENGTH = 136;

    static final int INFO_LENGTH = 72;

    SidrRep() {
        super(SIDR_REP);
    }

    SidrRep(ByteBuffer b) {
        super(b);
    }

    int status() {
        return u8(4);
    }

    void status(int value) {
        u8(4, value);
    }

    int infoLength() {
        return u8(5);
    }

    void infoLength(int value) {
        u8(5, value);
    }

    int qpNum() {
        return u24(8);
    }

    void qpNum(int value) {
        u24(8, value);
    }

    long serviceId() {
        return u64(12);
    }

    void serviceId(long value) {
        u64(12, value);
    }

    int qkey() {
        return u32(20);
    }

    void qkey(int value) {
        u32(20, value);
    }

    byte[] info() {
        return bytes(24, INFO_LENGTH);
    }

    void info(byte[] value) {
        bytes(24, INFO_LENGTH, value);
    }

    byte[] privateData() {
        return bytes(96, PRIVATE_DATA_LENGTH);
    }

    void privateData(byte[] value) {
        bytes(96, PRIVATE_DATA_LENGTH, value);
    }
}
