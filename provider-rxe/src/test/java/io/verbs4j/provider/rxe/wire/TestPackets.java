/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Addresses and packets for several tests. */
final class TestPackets {
    /** ::ffff:192.168.0.7, ::ffff:10.1.2.3, 2022::1023, fe80::abcd. */
    static final long V4_HIGH = 0;

    static final long V4_A = 0xffff_c0a8_0007L;
    static final long V4_B = 0xffff_0a01_0203L;
    static final long V6_HIGH_A = 0x2022_0000_0000_0000L;
    static final long V6_LOW_A = 0x1023L;
    static final long V6_HIGH_B = 0xfe80_0000_0000_0000L;
    static final long V6_LOW_B = 0xabcdL;
    static final int PORT = 4791;

    private TestPackets() {}

    /** Writes an RC SEND ONLY of random bytes without ICRC; returns its length. */
    static int send(ByteBuffer b, int offset, int payload, SplittableRandom random) {
        int pad = -payload & 3;
        Bth.write(b, offset, Opcode.RC_SEND_ONLY, false, true, pad, 0xffff, random.nextInt(), true, random.nextInt());
        return Bth.LENGTH + body(b, offset + Bth.LENGTH, payload, random);
    }

    /**
     * Writes a well-formed packet of any known opcode without ICRC, with random extension headers; returns its length.
     */
    static int any(ByteBuffer b, int offset, int opcode, int payload, SplittableRandom random) {
        int carried = Opcode.hasPayload(opcode) ? payload : 0;
        int pad = -carried & 3;
        boolean ackReq = random.nextBoolean();
        Bth.write(b, offset, opcode, false, true, pad, 0xffff, random.nextInt(), ackReq, random.nextInt());
        int headers = Opcode.headerLength(opcode);
        for (int i = Bth.LENGTH; i < headers; i++) {
            b.put(offset + i, (byte) random.nextInt());
        }
        return headers + body(b, offset + headers, carried, random);
    }

    static void appendV4(Icrc icrc, ByteBuffer b, int offset, int length, int id) {
        icrc.append(b, offset, length, V4_HIGH, V4_A, V4_HIGH, V4_B, 49152, PORT, id);
    }

    static boolean verifyV4(Icrc icrc, ByteBuffer b, int offset, int length) {
        return icrc.verify(b, offset, length + Icrc.LENGTH, V4_HIGH, V4_A, V4_HIGH, V4_B, 49152, PORT);
    }

    static void appendV6(Icrc icrc, ByteBuffer b, int offset, int length) {
        icrc.append(b, offset, length, V6_HIGH_A, V6_LOW_A, V6_HIGH_B, V6_LOW_B, 49152, PORT, 0);
    }

    static boolean verifyV6(Icrc icrc, ByteBuffer b, int offset, int length) {
        return icrc.verify(b, offset, length + Icrc.LENGTH, V6_HIGH_A, V6_LOW_A, V6_HIGH_B, V6_LOW_B, 49152, PORT);
    }

    private static int body(ByteBuffer b, int offset, int payload, SplittableRandom random) {
        int padded = payload + 3 & ~3;
        for (int i = 0; i < padded; i++) {
            b.put(offset + i, i < payload ? (byte) random.nextInt() : 0);
        }
        return padded;
    }
}
