/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.nio.ByteBuffer;

/**
 * SIDR_REQ: requests the queue pair of a datagram service. Offsets are relative to the packet's data.
 *
 * <pre>{@code
 *   0  request id (32)
 *   4  P_Key (16)
 *   8  service id (64)
 *  16  private data (216 bytes); with IP addresses, the first 36 are the CMA header
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 12.6.
 */
final class SidrReq extends Mad {
    static final int PRIVATE_DATA_LENGTH = 216;

    SidrReq() {
        super(SIDR_REQ);
    }

    SidrReq(ByteBuffer b) {
        super(b);
    }

    int pkey() {
        return u16(4);
    }

    void pkey(int value) {
        u16(4, value);
    }

    long serviceId() {
        return u64(8);
    }

    void serviceId(long value) {
        u64(8, value);
    }

    byte[] privateData() {
        return bytes(16, PRIVATE_DATA_LENGTH);
    }

    void privateData(byte[] value) {
        bytes(16, PRIVATE_DATA_LENGTH, value);
    }

    CmaHeader cmaHeader() {
        return new CmaHeader(b, DATA + 16);
    }
}
