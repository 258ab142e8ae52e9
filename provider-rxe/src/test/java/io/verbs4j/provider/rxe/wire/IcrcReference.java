/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

/**
 * A second implementation of the invariant CRC, as slow and plain as possible: bit by bit, over a whole IP packet as on
 * the wire. It shares no code with {@link Icrc}, and is itself checked against packets of adapters.
 */
final class IcrcReference {
    private static final int GENERATOR = 0xedb88320;
    private static final int UDP = 17;

    private IcrcReference() {}

    /** Computes the CRC of a packet from its IP header (or GRH) on; the last four bytes are the place of the CRC. */
    static int compute(byte[] packet) {
        byte[] masked = packet.clone();
        int transport;
        if (packet[0] >>> 4 == 4) {
            masked[1] = -1;
            masked[8] = -1;
            masked[10] = -1;
            masked[11] = -1;
            transport = 20;
        } else {
            masked[0] |= 0x0f;
            masked[1] = -1;
            masked[2] = -1;
            masked[3] = -1;
            masked[7] = -1;
            transport = 40;
        }
        int protocol = packet[transport == 20 ? 9 : 6];
        if (protocol == UDP) {
            masked[transport + 6] = -1;
            masked[transport + 7] = -1;
            transport += 8;
        }
        masked[transport + 4] = -1;
        int crc = -1;
        for (int i = 0; i < 8; i++) {
            crc = step(crc, 0xff);
        }
        for (int i = 0; i < packet.length - 4; i++) {
            crc = step(crc, masked[i]);
        }
        return ~crc;
    }

    /** Returns the CRC in a packet. */
    static int stored(byte[] packet) {
        int at = packet.length - 4;
        return packet[at] & 0xff
                | (packet[at + 1] & 0xff) << 8
                | (packet[at + 2] & 0xff) << 16
                | (packet[at + 3] & 0xff) << 24;
    }

    private static int step(int crc, int value) {
        int c = crc ^ value & 0xff;
        for (int bit = 0; bit < 8; bit++) {
            c = (c & 1) != 0 ? c >>> 1 ^ GENERATOR : c >>> 1;
        }
        return c;
    }
}
