/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.FlowFilter;
import io.verbs4j.FlowSpecType;
import io.verbs4j.RxHashFields;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A frame on the model's segment, and the content of its headers. */
final class Packet {
    static final int TCP = 6;
    static final int UDP = 17;
    private static final int TAG_BYTES = 4;
    private static final int IPV4 = 0x0800;
    private static final int VLAN = 0x8100;
    private static final int MACS = 12;

    final byte[] bytes;
    private final ByteBuffer read;

    /** The VLAN tag; -1 if there is none. */
    final int tag;

    private final int etherType;

    /** The offset of the IPv4 header; 0 if there is none. */
    private final int ip;

    private final int transport;
    private final int protocol;

    Packet(byte[] bytes) {
        this.bytes = bytes;
        read = ByteBuffer.wrap(bytes);
        boolean tagged = number(MACS) == VLAN;
        tag = tagged ? number(MACS + 2) : -1;
        int at = MACS + (tagged ? TAG_BYTES : 0);
        etherType = number(at);
        ip = etherType == IPV4 ? at + 2 : 0;
        protocol = ip == 0 ? 0 : bytes[ip + 9];
        transport = ip == 0 ? 0 : ip + (bytes[ip] & 15) * 4;
    }

    private int number(int at) {
        return read.getShort(at) & 0xffff;
    }

    /** Returns the frame without its VLAN tag. */
    Packet untagged() {
        byte[] less = new byte[bytes.length - TAG_BYTES];
        System.arraycopy(bytes, 0, less, 0, MACS);
        System.arraycopy(bytes, MACS + TAG_BYTES, less, MACS, less.length - MACS);
        return new Packet(less);
    }

    // ---- filters

    /** A copy of a specification, taken when the flow was created. */
    static final class Filter {
        private final int type;
        private final byte[] value;
        private final byte[] mask;

        Filter(FlowFilter of) {
            type = of.type();
            value = of.value();
            mask = of.mask();
        }
    }

    boolean matches(Filter filter) {
        byte[] header = header(filter.type);
        if (header == null) {
            return false;
        }
        for (int i = 0; i < header.length; i++) {
            boolean source = filter.type == FlowSpecType.ETH && i >= 6 && i < MACS;
            int counted = filter.mask[i] != 0 && Fault.FLOW_MASKS_WHOLE.on() ? 0xff : filter.mask[i];
            if (((header[i] ^ filter.value[i]) & counted) != 0 && !(source && Fault.FLOW_ANY_SOURCE.on())) {
                return false;
            }
        }
        return true;
    }

    /** {@return the header in the byte order of the specification; null if the packet lacks it} */
    private byte[] header(int type) {
        return switch (type) {
            case FlowSpecType.ETH ->
                ByteBuffer.allocate(16)
                        .put(bytes, 0, MACS)
                        .putShort((short) etherType)
                        .putShort((short) Math.max(tag, 0))
                        .array();
            case FlowSpecType.IPV4 -> ip == 0 ? null : Arrays.copyOfRange(bytes, ip + 12, ip + 20);
            case FlowSpecType.TCP -> ports(TCP);
            case FlowSpecType.UDP -> ports(UDP);
            default -> null;
        };
    }

    /** {@return the ports of receiver and sender; null if the protocol is another one} */
    private byte[] ports(int wanted) {
        if (protocol != wanted && !(Fault.FLOW_TCP_IS_UDP.on() && carries())) {
            return null;
        }
        return new byte[] {bytes[transport + 2], bytes[transport + 3], bytes[transport], bytes[transport + 1]};
    }

    // ---- checksums

    private int checksum() {
        return transport + (protocol == TCP ? 16 : 6);
    }

    private int sum(int from, int to) {
        int sum = 0;
        for (int at = from; at < to; at += 2) {
            sum += at + 1 < to ? number(at) : (bytes[at] & 0xff) << 8;
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return sum;
    }

    private int end() {
        return ip + number(ip + 2);
    }

    private int transportSum() {
        int all = sum(ip + 12, ip + 20) + protocol + end() - transport + sum(transport, end());
        return (all & 0xffff) + (all >>> 16);
    }

    private boolean carries() {
        return ip != 0 && (protocol == TCP || protocol == UDP);
    }

    boolean hasRightSums() {
        return carries() && end() <= bytes.length && sum(ip, transport) == 0xffff && transportSum() == 0xffff;
    }

    /** Fills in the checksums. */
    void fillSums() {
        if (!carries()) {
            return;
        }
        read.putShort(ip + 10, (short) 0).putShort(ip + 10, (short) ~sum(ip, transport));
        if (protocol == UDP || !Fault.CHECKSUMS_OF_UDP.on()) {
            read.putShort(checksum(), (short) 0).putShort(checksum(), (short) ~transportSum());
        }
    }

    // ---- TSO

    /** Returns one segment of TSO: the headers, and the data {@code from} one offset {@code to} another. */
    static Packet segment(byte[] header, byte[] data, int from, int to) {
        ByteBuffer all = ByteBuffer.allocate(header.length + to - from);
        all.put(header).put(data, from, to - from);
        Packet packet = new Packet(all.array());
        packet.read.putShort(packet.ip + 2, (short) (all.capacity() - packet.ip));
        int at = packet.transport + 4;
        packet.read.putInt(at, packet.read.getInt(at) + (Fault.TSO_SAME_NUMBER.on() ? 0 : from));
        return packet;
    }

    // ---- the hash

    int hash(byte[] key, long asked) {
        long fields = asked;
        if (Fault.RSS_ALL_FIELDS.on() && asked != 0) {
            fields = RxHashFields.SRC_IPV4
                    | RxHashFields.DST_IPV4
                    | RxHashFields.SRC_PORT_UDP
                    | RxHashFields.DST_PORT_UDP;
        } else if (Fault.RSS_WITHOUT_PORTS.on()) {
            fields &= RxHashFields.SRC_IPV4 | RxHashFields.DST_IPV4;
        }
        int hash = 0;
        int bit = 0;
        if (ip != 0) {
            long ports = protocol == TCP ? RxHashFields.SRC_PORT_TCP : RxHashFields.SRC_PORT_UDP;
            long[] of = {RxHashFields.SRC_IPV4, RxHashFields.DST_IPV4, ports, ports << 1};
            int[] at = {ip + 12, ip + 16, transport, transport + 2};
            for (int field = 0; field < of.length; field++) {
                for (int i = at[field]; (fields & of[field]) != 0 && i < at[field] + (field < 2 ? 4 : 2); i++) {
                    hash ^= hash(key, bytes[i], bit);
                    bit += 8;
                }
            }
        }
        return hash;
    }

    private static int hash(byte[] key, byte input, int firstBit) {
        ByteBuffer of = ByteBuffer.wrap(Arrays.copyOf(key, key.length + Long.BYTES));
        int hash = 0;
        for (int i = 0; i < 8; i++) {
            if ((input & 0x80 >> i) != 0) {
                int bit = firstBit + i;
                hash ^= (int) (of.getLong(bit / 8) << bit % 8 >>> 32);
            }
        }
        return hash;
    }
}
