/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim.programs;

import java.nio.ByteBuffer;

/** Creates and checks IPv4 frames. Written from the RFCs alone, so that no code of a device checks itself. */
public final class Frames {
    public static final int VLAN_LENGTH = 4;
    public static final int IP = 14;
    public static final int IP_LENGTH = 20;
    public static final int IP_CHECKSUM = 10;
    public static final int UDP_CHECKSUM = 6;
    public static final int TCP_CHECKSUM = 16;

    private static final byte[] HASH_KEY = {
        0x6d,
        0x5a,
        0x56,
        (byte) 0xda,
        0x25,
        0x5b,
        0x0e,
        (byte) 0xc2,
        0x41,
        0x67,
        0x25,
        0x3d,
        0x43,
        (byte) 0xa3,
        (byte) 0x8f,
        (byte) 0xb0,
        (byte) 0xd0,
        (byte) 0xca,
        0x2b,
        (byte) 0xcb,
        (byte) 0xae,
        0x7b,
        0x30,
        (byte) 0xb4,
        0x77,
        (byte) 0xcb,
        0x2d,
        (byte) 0xa3,
        (byte) 0x80,
        0x30,
        (byte) 0xf2,
        0x0c,
        0x6a,
        0x42,
        (byte) 0xb7,
        0x3b,
        (byte) 0xbe,
        (byte) 0xac,
        0x01,
        (byte) 0xfa
    };

    private static final int ADDRESSES = 12;
    private static final int UDP = 17;
    private static final int TCP = 6;
    private static final int SOURCE = 12;
    private static final int SEQUENCE = 4;

    private Frames() {}

    /** {@return the key of the published test vectors of receive-side scaling} */
    public static byte[] hashKey() {
        return HASH_KEY.clone();
    }

    private static void begin(ByteBuffer to, byte[] mac, int protocol, int length) {
        to.put(mac).put(new byte[] {2, 0, 0, 0, 0, 1}).putShort((short) 0x0800);
        to.putShort((short) 0x4500).putShort((short) (IP_LENGTH + length)).putInt(0x1234_0000);
        to.put((byte) 61).put((byte) protocol).putShort((short) 0);
        to.putInt(0x0a00_0001).putInt(0x0a00_0009);
    }

    /** Creates a frame without checksums; the position is its end. */
    public static ByteBuffer udp(ByteBuffer to, byte[] mac, int sourcePort, int targetPort, int length) {
        begin(to, mac, UDP, 8 + length);
        to.putShort((short) sourcePort)
                .putShort((short) targetPort)
                .putShort((short) (8 + length))
                .putShort((short) 0);
        for (int i = 0; i < length; i++) {
            to.put((byte) (i * 5 + sourcePort));
        }
        return to;
    }

    /** {@return the same frame with a VLAN tag} */
    public static ByteBuffer inVlan(ByteBuffer frame, int tag) {
        int length = frame.position();
        for (int i = length - 1; i >= ADDRESSES; i--) {
            frame.put(i + VLAN_LENGTH, frame.get(i));
        }
        frame.putShort(ADDRESSES, (short) 0x8100).putShort(ADDRESSES + 2, (short) tag);
        return frame.position(length + VLAN_LENGTH);
    }

    /** Writes the headers of a TCP segment. */
    public static ByteBuffer tcp(ByteBuffer to, byte[] mac, int sourcePort, int targetPort, int sequence) {
        begin(to, mac, TCP, 20);
        to.putShort((short) sourcePort)
                .putShort((short) targetPort)
                .putInt(sequence)
                .putInt(5);
        return to.putShort((short) 0x5010).putShort((short) 4096).putInt(0);
    }

    public static int sequence(ByteBuffer frame) {
        return frame.getInt(IP + IP_LENGTH + SEQUENCE);
    }

    /** Checks the lengths and checksums of a frame. */
    public static void check(ByteBuffer frame, int length) {
        int total = frame.getShort(IP + 2) & 0xffff;
        if (total != length - IP) {
            throw new IllegalStateException("the header says " + total + " bytes, but there are " + (length - IP));
        }
        if (fold(sum(frame, IP, IP_LENGTH)) != 0xffff) {
            throw new IllegalStateException("the IPv4 checksum is wrong");
        }
        int protocol = frame.get(IP + 9);
        int transport = total - IP_LENGTH;
        long pseudo = sum(frame, IP + SOURCE, 8) + protocol + transport;
        if (fold(pseudo + sum(frame, IP + IP_LENGTH, transport)) != 0xffff) {
            throw new IllegalStateException("the checksum of protocol " + protocol + " is wrong");
        }
    }

    private static long sum(ByteBuffer from, int at, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            sum += (long) (from.get(at + i) & 0xff) << (i % 2 == 0 ? 8 : 0);
        }
        return sum;
    }

    private static int fold(long sum) {
        long folded = sum;
        while (folded > 0xffff) {
            folded = (folded & 0xffff) + (folded >>> 16);
        }
        return (int) folded;
    }

    /** {@return the Toeplitz hash of addresses and ports} */
    public static int hash(ByteBuffer frame) {
        int hash = 0;
        int bits = 12 * 8; // two addresses and two ports, which are adjacent
        for (int i = 0; i < bits; i++) {
            if ((frame.get(IP + SOURCE + i / 8) >>> 7 - i % 8 & 1) != 0) {
                hash ^= keyAt(i);
            }
        }
        return hash;
    }

    /** {@return 32 bits of the key, from a bit on} */
    private static int keyAt(int bit) {
        long five = 0;
        for (int i = 0; i < 5; i++) {
            five = five << 8 | HASH_KEY[bit / 8 + i] & 0xff;
        }
        return (int) (five >>> 8 - bit % 8);
    }
}
