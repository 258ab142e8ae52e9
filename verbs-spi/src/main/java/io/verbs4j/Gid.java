/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A GID: the 128-bit address of a port or of a multicast group, in the form of an IPv6 address.
 *
 * <p>On RoCE v2 it is an IPv6 address or an IPv4 address mapped into one. Immutable. Source: {@code ibv_query_gid(3)};
 * InfiniBand Architecture Specification 4.1.
 */
public final class Gid {
    /** The GID of sixteen zero bytes, which means none. */
    public static final Gid ZERO = new Gid(0, 0);

    /** Number of bytes of a GID. */
    public static final int LENGTH = 16;

    private static final long IPV4_MAPPED = 0xffff_0000_0000L;

    private final long subnetPrefix;
    private final long interfaceId;

    private Gid(long subnetPrefix, long interfaceId) {
        this.subnetPrefix = subnetPrefix;
        this.interfaceId = interfaceId;
    }

    /**
     * Creates a GID from its two halves.
     *
     * @param subnetPrefix upper 64 bits
     * @param interfaceId lower 64 bits
     * @return the GID
     */
    public static Gid of(long subnetPrefix, long interfaceId) {
        return subnetPrefix == 0 && interfaceId == 0 ? ZERO : new Gid(subnetPrefix, interfaceId);
    }

    /**
     * Creates a GID from sixteen bytes.
     *
     * @param bytes the bytes, in network byte order
     * @return the GID
     * @throws IllegalArgumentException if there are not sixteen
     */
    public static Gid of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a GID has 16 bytes, not " + bytes.length);
        }
        ByteBuffer b = ByteBuffer.wrap(bytes);
        return of(b.getLong(), b.getLong());
    }

    /**
     * Creates a GID from an IP address, as used by RoCE v2.
     *
     * @param address an IPv6 address, or an IPv4 address, which is then mapped
     * @return the GID
     */
    public static Gid of(InetAddress address) {
        byte[] bytes = address.getAddress();
        return address instanceof Inet4Address
                ? of(
                        0,
                        IPV4_MAPPED
                                | Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt()))
                : of(bytes);
    }

    /**
     * Parses the 32 hexadecimal digits that {@link #toHex()} writes.
     *
     * @param hex 32 hexadecimal digits
     * @return the GID
     * @throws IllegalArgumentException for anything else
     */
    public static Gid parseHex(String hex) {
        if (hex.length() != 2 * LENGTH) {
            throw new IllegalArgumentException("a GID has 32 hexadecimal digits, not '" + hex + "'");
        }
        return of(HexFormat.of().parseHex(hex));
    }

    /** {@return the upper 64 bits} */
    public long subnetPrefix() {
        return subnetPrefix;
    }

    /** {@return the lower 64 bits} */
    public long interfaceId() {
        return interfaceId;
    }

    /**
     * {@return whether this is the address of a multicast group: one that begins with 0xff, or a mapped IPv4 multicast
     * address}
     */
    public boolean isMulticast() {
        return subnetPrefix >>> 56 == 0xff || isIpv4Mapped() && (interfaceId >>> 28 & 0xf) == 0xe;
    }

    /** {@return whether this is a mapped IPv4 address} */
    public boolean isIpv4Mapped() {
        return subnetPrefix == 0 && interfaceId >>> 32 == 0xffffL;
    }

    /** {@return the sixteen bytes in network byte order, as a new array} */
    public byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH)
                .putLong(subnetPrefix)
                .putLong(interfaceId)
                .array();
    }

    /**
     * Converts the GID to an IP address.
     *
     * @return an IPv4 address if one is mapped, otherwise an IPv6 address
     */
    public InetAddress toInetAddress() {
        try {
            return InetAddress.getByAddress(toBytes());
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // sixteen bytes are always an address
        }
    }

    /** {@return the GID as 32 lower-case hexadecimal digits, the form in which the ping-pong programs exchange it} */
    public String toHex() {
        return String.format(Locale.ROOT, "%016x%016x", subnetPrefix, interfaceId);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Gid g && g.subnetPrefix == subnetPrefix && g.interfaceId == interfaceId;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(subnetPrefix) * 31 + Long.hashCode(interfaceId);
    }

    /**
     * {@return the form of {@code ibv_devinfo}: eight groups of four digits, or an IPv4 address after {@code ::ffff:}}
     */
    @Override
    public String toString() {
        if (isIpv4Mapped()) {
            int ip = (int) interfaceId;
            return "::ffff:" + (ip >>> 24) + '.' + (ip >>> 16 & 255) + '.' + (ip >>> 8 & 255) + '.' + (ip & 255);
        }
        String hex = toHex();
        StringBuilder text = new StringBuilder(hex.substring(0, 4));
        for (int i = 4; i < hex.length(); i += 4) {
            text.append(':').append(hex, i, i + 4);
        }
        return text.toString();
    }
}
