/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.RxHashFields;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** An Ethernet frame with IPv4 and UDP or TCP, according to the RFCs. Change settings before {@link #bytes()}. */
final class Frame {
    static final int UDP = 17;
    static final int TCP = 6;
    static final int IPV4 = 0x0800;
    static final int ETHERNET_BYTES = 14;
    static final int VLAN_BYTES = 4;
    static final int KEY_BYTES = 40;
    private static final int VLAN = 0x8100;
    private static final int IP_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int TCP_BYTES = 20;
    private static final int IP_CHECKSUM = 10;
    private static final int UDP_CHECKSUM = 6;
    private static final int TCP_CHECKSUM = 16;
    private static final int SOURCE = 12;
    private static final int ONES = 0xffff;

    private final byte[] dstMac;
    private byte[] srcMac = {2, 0, 0, 0, 0, 1};
    private int etherType = IPV4;
    private int vlan = -1;
    private byte[] srcIp = {10, 0, 0, 1};
    private byte[] dstIp = {10, 0, 0, 9};
    private int protocol = UDP;
    private int srcPort = 1234;
    private int dstPort = 4000;
    private int sequence;
    private int length = 32;
    private boolean blank;

    private Frame(byte[] dstMac) {
        this.dstMac = dstMac.clone();
    }

    /** {@return a UDP frame to an address, with 32 bytes of data} */
    static Frame to(byte[] mac) {
        return new Frame(mac);
    }

    Frame srcMac(byte[] value) {
        srcMac = value.clone();
        return this;
    }

    Frame etherType(int value) {
        etherType = value;
        return this;
    }

    /** Adds a tag after the addresses: priority, CFI and number. */
    Frame vlan(int value) {
        vlan = value;
        return this;
    }

    Frame srcIp(int... value) {
        srcIp = octets(value);
        return this;
    }

    Frame dstIp(int... value) {
        dstIp = octets(value);
        return this;
    }

    /** {@return an address or a mask of these bytes} */
    static byte[] octets(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    Frame ports(int source, int destination) {
        srcPort = source;
        dstPort = destination;
        return this;
    }

    /** Uses TCP instead of UDP. */
    Frame tcp(int firstByte) {
        protocol = TCP;
        sequence = firstByte;
        return this;
    }

    /** Sets the number of data bytes. */
    Frame data(int bytes) {
        length = bytes;
        return this;
    }

    /** Leaves the checksums to the device: they are 0. */
    Frame withoutChecksums() {
        blank = true;
        return this;
    }

    private int transportBytes() {
        return protocol == UDP ? UDP_BYTES : TCP_BYTES;
    }

    byte[] bytes() {
        int tag = vlan < 0 ? 0 : VLAN_BYTES;
        int header = ETHERNET_BYTES + tag + IP_BYTES + transportBytes();
        ByteBuffer to = ByteBuffer.allocate(header + length);
        to.put(dstMac).put(srcMac);
        if (tag != 0) {
            to.putShort((short) VLAN).putShort((short) vlan);
        }
        to.putShort((short) etherType);
        to.putShort((short) 0x4500).putShort((short) (IP_BYTES + transportBytes() + length));
        to.putInt(0x1234_0000).put((byte) 61).put((byte) protocol).putShort((short) 0);
        to.put(srcIp).put(dstIp).putShort((short) srcPort).putShort((short) dstPort);
        if (protocol == UDP) {
            to.putShort((short) (UDP_BYTES + length)).putShort((short) 0);
        } else {
            to.putInt(sequence).putInt(5).putShort((short) 0x5010).putShort((short) 4096);
            to.putInt(0);
        }
        for (int i = 0; i < length; i++) {
            to.put(dataAt(i));
        }
        if (!blank) {
            fill(to.array(), ETHERNET_BYTES + tag);
        }
        return to.array();
    }

    /** Returns the data byte at an index. */
    byte dataAt(int index) {
        return (byte) (index * 7 + index / 256 + srcPort);
    }

    private void fill(byte[] frame, int ip) {
        put(frame, ip + IP_CHECKSUM, ~sum(frame, ip, IP_BYTES));
        put(frame, checksumAt(frame, ip), ~transportSum(frame, ip));
    }

    // ---- inspecting bytes of frames without a tag

    private static int checksumAt(byte[] frame, int ip) {
        return ip + IP_BYTES + (frame[ip + 9] == UDP ? UDP_CHECKSUM : TCP_CHECKSUM);
    }

    private static int transportSum(byte[] frame, int ip) {
        int transport = number(frame, ip + 2, 2) - IP_BYTES;
        int pseudo = sum(frame, ip + SOURCE, 8) + frame[ip + 9] + transport;
        return fold(pseudo + sum(frame, ip + IP_BYTES, transport));
    }

    /** Returns what is wrong with lengths and checksums; empty if they are right. */
    static String fault(byte[] frame) {
        int ip = ETHERNET_BYTES;
        int total = number(frame, ip + 2, 2);
        if (total != frame.length - ip) {
            return "the IPv4 header says " + total + " bytes, but there are " + (frame.length - ip);
        }
        if (sum(frame, ip, IP_BYTES) != ONES) {
            return "the IPv4 checksum is wrong";
        }
        return transportSum(frame, ip) == ONES
                ? ""
                : "the " + (frame[ip + 9] == UDP ? "UDP" : "TCP") + " checksum is wrong";
    }

    /** {@return the frame with 0 in place of checksums, to compare the other bytes} */
    static byte[] blank(byte[] frame) {
        byte[] copy = frame.clone();
        put(copy, ETHERNET_BYTES + IP_CHECKSUM, 0);
        put(copy, checksumAt(copy, ETHERNET_BYTES), 0);
        return copy;
    }

    /** {@return the frame with a wrong checksum of UDP or TCP} */
    static byte[] damaged(byte[] frame) {
        byte[] copy = frame.clone();
        copy[checksumAt(copy, ETHERNET_BYTES)] ^= 0x55;
        return copy;
    }

    /** Returns the TCP sequence number. */
    static int sequence(byte[] frame) {
        return number(frame, ETHERNET_BYTES + IP_BYTES + 4, 4);
    }

    private static int number(byte[] from, int at, int bytes) {
        int number = 0;
        for (int i = 0; i < bytes; i++) {
            number = number << 8 | from[at + i] & 0xff;
        }
        return number;
    }

    private static void put(byte[] to, int at, int value) {
        to[at] = (byte) (value >>> 8);
        to[at + 1] = (byte) value;
    }

    private static int sum(byte[] from, int at, int length) {
        int sum = 0;
        for (int i = 0; i < length; i++) {
            sum += (from[at + i] & 0xff) << (i % 2 == 0 ? 8 : 0);
        }
        return fold(sum);
    }

    private static int fold(int sum) {
        int folded = sum;
        while (folded > ONES) {
            folded = (folded & ONES) + (folded >>> 16);
        }
        return folded;
    }

    /**
     * Returns the Toeplitz hash of fields, given as {@link RxHashFields} bits: addresses before ports, the sender's
     * before the receiver's.
     */
    static int hash(byte[] frame, byte[] key, long fields) {
        ByteBuffer input = ByteBuffer.allocate(12);
        long[] of = {
            RxHashFields.SRC_IPV4,
            RxHashFields.DST_IPV4,
            RxHashFields.SRC_PORT_TCP | RxHashFields.SRC_PORT_UDP,
            RxHashFields.DST_PORT_TCP | RxHashFields.DST_PORT_UDP
        };
        int at = ETHERNET_BYTES + SOURCE;
        for (int i = 0; i < of.length; i++) {
            int bytes = i < 2 ? 4 : 2;
            if ((fields & of[i]) != 0) {
                input.put(frame, at, bytes);
            }
            at += bytes;
        }
        return toeplitz(Arrays.copyOf(input.array(), input.position()), key);
    }

    private static int toeplitz(byte[] input, byte[] key) {
        int hash = 0;
        for (int bit = 0; bit < 8 * input.length; bit++) {
            if ((input[bit / 8] >>> 7 - bit % 8 & 1) != 0) {
                long five = (long) number(key, bit / 8, 4) << 8 | key[bit / 8 + 4] & 0xff;
                hash ^= (int) (five >>> 8 - bit % 8);
            }
        }
        return hash;
    }
}
