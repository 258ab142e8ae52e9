/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.nio.ByteBuffer;

/**
 * REP: accepts a request. Offsets are relative to the packet's data.
 *
 * <pre>{@code
 *   0  local communication id (32)
 *   4  remote communication id (32)
 *   8  Q_Key (32)
 *  12  queue pair (24)
 *  16  EE context (24)
 *  20  first PSN (24)
 *  24  responder resources (8) | 25 initiator depth (8)
 *  26  target ACK delay (5), failover accepted (2), flow control (1)
 *  27  RNR retry count (3), SRQ (1)
 *  28  GUID of the sender's node (64)
 *  36  private data (196 bytes)
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 12.6.
 */
final class Rep extends Mad {
    static final int PRIVATE_DATA_LENGTH = 196;

    Rep() {
        super(REP);
    }

    Rep(ByteBuffer b) {
        super(b);
    }

    int remoteId() {
        return u32(4);
    }

    void remoteId(int value) {
        u32(4, value);
    }

    int qkey() {
        return u32(8);
    }

    void qkey(int value) {
        u32(8, value);
    }

    int qpNum() {
        return u24(12);
    }

    void qpNum(int value) {
        u24(12, value);
    }

    int startingPsn() {
        return u24(20);
    }

    void startingPsn(int value) {
        u24(20, value);
    }

    int responderResources() {
        return u8(24);
    }

    void responderResources(int value) {
        u8(24, value);
    }

    int initiatorDepth() {
        return u8(25);
    }

    void initiatorDepth(int value) {
        u8(25, value);
    }

    int targetAckDelay() {
        return bits(26, 3, 5);
    }

    void targetAckDelay(int value) {
        bits(26, 3, 5, value);
    }

    int failover() {
        return bits(26, 1, 2);
    }

    void failover(int value) {
        bits(26, 1, 2, value);
    }

    int endToEndFlowControl() {
        return bits(26, 0, 1);
    }

    void endToEndFlowControl(int value) {
        bits(26, 0, 1, value);
    }

    int rnrRetryCount() {
        return bits(27, 5, 3);
    }

    void rnrRetryCount(int value) {
        bits(27, 5, 3, value);
    }

    int srq() {
        return bits(27, 4, 1);
    }

    void srq(int value) {
        bits(27, 4, 1, value);
    }

    long caGuid() {
        return u64(28);
    }

    void caGuid(long value) {
        u64(28, value);
    }

    byte[] privateData() {
        return bytes(36, PRIVATE_DATA_LENGTH);
    }

    void privateData(byte[] value) {
        bytes(36, PRIVATE_DATA_LENGTH, value);
    }
}
