/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Gid;
import java.nio.ByteBuffer;

/**
 * REQ: requests a connection. Offsets are relative to the packet's data.
 *
 * <pre>{@code
 *   0  local communication id (32)
 *   8  service id (64)
 *  16  GUID of the sender's node (64)
 *  28  Q_Key (32)
 *  32  queue pair (24)           | 35 responder resources (8)
 *  36  EE context (24)           | 39 initiator depth (8)
 *  40  remote EE context (24)    | 43 remote response timeout (5), transport (2), end-to-end flow control (1)
 *  44  first PSN (24)            | 47 local response timeout (5), retry count (3)
 *  48  P_Key (16)                | 50 path MTU (4), RDC (1), RNR retry count (3)
 *  51  max. CM retries (4), SRQ (1), extended transport (3)
 *  52  primary path: local LID (16), remote LID (16)
 *  56  primary path: local GID (128)
 *  72  primary path: remote GID (128)
 *  88  flow label (20), reserved (6), packet rate (6)
 *  92  traffic class (8) | 93 hop limit (8) | 94 SL (4), subnet local (1) | 95 local ACK timeout (5)
 *  96  alternate path, 44 bytes in the form of the primary one
 * 140  private data (92 bytes); with IP addresses, the first 36 are the CMA header
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 12.6.
 */
final class Req extends Mad {
    static final int PRIVATE_DATA_LENGTH = 92;

    Req() {
        super(REQ);
    }

    Req(ByteBuffer b) {
        super(b);
    }

    long serviceId() {
        return u64(8);
    }

    void serviceId(long value) {
        u64(8, value);
    }

    long caGuid() {
        return u64(16);
    }

    void caGuid(long value) {
        u64(16, value);
    }

    int qkey() {
        return u32(28);
    }

    void qkey(int value) {
        u32(28, value);
    }

    int qpNum() {
        return u24(32);
    }

    void qpNum(int value) {
        u24(32, value);
    }

    int responderResources() {
        return u8(35);
    }

    void responderResources(int value) {
        u8(35, value);
    }

    int initiatorDepth() {
        return u8(39);
    }

    void initiatorDepth(int value) {
        u8(39, value);
    }

    int remoteResponseTimeout() {
        return bits(43, 3, 5);
    }

    void remoteResponseTimeout(int value) {
        bits(43, 3, 5, value);
    }

    int transport() {
        return bits(43, 1, 2);
    }

    void transport(int value) {
        bits(43, 1, 2, value);
    }

    int endToEndFlowControl() {
        return bits(43, 0, 1);
    }

    void endToEndFlowControl(int value) {
        bits(43, 0, 1, value);
    }

    int startingPsn() {
        return u24(44);
    }

    void startingPsn(int value) {
        u24(44, value);
    }

    int localResponseTimeout() {
        return bits(47, 3, 5);
    }

    void localResponseTimeout(int value) {
        bits(47, 3, 5, value);
    }

    int retryCount() {
        return bits(47, 0, 3);
    }

    void retryCount(int value) {
        bits(47, 0, 3, value);
    }

    int pkey() {
        return u16(48);
    }

    void pkey(int value) {
        u16(48, value);
    }

    int pathMtu() {
        return bits(50, 4, 4);
    }

    void pathMtu(int value) {
        bits(50, 4, 4, value);
    }

    int rnrRetryCount() {
        return bits(50, 0, 3);
    }

    void rnrRetryCount(int value) {
        bits(50, 0, 3, value);
    }

    int maxCmRetries() {
        return bits(51, 4, 4);
    }

    void maxCmRetries(int value) {
        bits(51, 4, 4, value);
    }

    int srq() {
        return bits(51, 3, 1);
    }

    void srq(int value) {
        bits(51, 3, 1, value);
    }

    int extendedTransport() {
        return bits(51, 0, 3);
    }

    void extendedTransport(int value) {
        bits(51, 0, 3, value);
    }

    int localLid() {
        return u16(52);
    }

    void localLid(int value) {
        u16(52, value);
    }

    int remoteLid() {
        return u16(54);
    }

    void remoteLid(int value) {
        u16(54, value);
    }

    Gid localGid() {
        return gid(56);
    }

    void localGid(Gid value) {
        gid(56, value);
    }

    Gid remoteGid() {
        return gid(72);
    }

    void remoteGid(Gid value) {
        gid(72, value);
    }

    int trafficClass() {
        return u8(92);
    }

    void trafficClass(int value) {
        u8(92, value);
    }

    int hopLimit() {
        return u8(93);
    }

    void hopLimit(int value) {
        u8(93, value);
    }

    int sl() {
        return bits(94, 4, 4);
    }

    void sl(int value) {
        bits(94, 4, 4, value);
    }

    int ackTimeout() {
        return bits(95, 3, 5);
    }

    void ackTimeout(int value) {
        bits(95, 3, 5, value);
    }

    int alternateLocalLid() {
        return u16(96);
    }

    void alternateLocalLid(int value) {
        u16(96, value);
    }

    int alternateRemoteLid() {
        return u16(98);
    }

    void alternateRemoteLid(int value) {
        u16(98, value);
    }

    byte[] privateData() {
        return bytes(140, PRIVATE_DATA_LENGTH);
    }

    void privateData(byte[] value) {
        bytes(140, PRIVATE_DATA_LENGTH, value);
    }

    int flowLabel() {
        return u24(88) >>> 4;
    }

    void flowLabel(int value) {
        u32(88, u32(88) & 0xfff | value << 12);
    }

    int packetRate() {
        return bits(91, 0, 6);
    }

    void packetRate(int value) {
        bits(91, 0, 6, value);
    }

    CmaHeader cmaHeader() {
        return new CmaHeader(b, DATA + 140);
    }
}
