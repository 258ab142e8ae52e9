/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Gid;
import java.nio.ByteBuffer;

/**
 * The header that librdmacm puts before the private data of REQ and SIDR_REQ, with the IP addresses.
 *
 * <pre>{@code
 *  0  version 0 (8) | 1 IP version 4 or 6 (4), reserved (4) | 2 source port (16)
 *  4  source address (128): an IPv4 address in the last four bytes
 * 20  destination address (128)
 * }</pre>
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, annex A11.
 */
final class CmaHeader {
    static final int LENGTH = 36;

    private static final int SOURCE = 4;
    private static final int DESTINATION = 20;
    private static final long IPV4_MAPPED = 0xffff_0000_0000L;

    private final ByteBuffer b;
    private final int at;

    CmaHeader(ByteBuffer b, int at) {
        this.b = b;
        this.at = at;
    }

    int version() {
        return b.get(at) & 0xff;
    }

    int ipVersion() {
        return b.get(at + 1) >>> 4 & 0xf;
    }

    void ipVersion(int value) {
        b.put(at + 1, (byte) (value << 4));
    }

    int port() {
        return b.getShort(at + 2) & 0xffff;
    }

    void port(int value) {
        b.putShort(at + 2, (short) value);
    }

    /** Returns the source address as a GID; for IPv4, only the last four bytes are used. */
    Gid source() {
        return gid(at + SOURCE);
    }

    Gid destination() {
        return gid(at + DESTINATION);
    }

    private Gid gid(int offset) {
        long low = b.getLong(offset + Long.BYTES);
        return ipVersion() == 4 ? Gid.of(0, IPV4_MAPPED | low & 0xffff_ffffL) : Gid.of(b.getLong(offset), low);
    }

    /** Writes the whole header. Both addresses are of one family. */
    void write(int port, Gid source, Gid destination) {
        boolean ipv4 = source.isIpv4Mapped();
        b.put(at, (byte) 0);
        ipVersion(ipv4 ? 4 : 6);
        port(port);
        put(at + SOURCE, source, ipv4);
        put(at + DESTINATION, destination, ipv4);
    }

    private void put(int offset, Gid gid, boolean ipv4) {
        b.putLong(offset, ipv4 ? 0 : gid.subnetPrefix());
        b.putLong(offset + Long.BYTES, ipv4 ? gid.interfaceId() & 0xffff_ffffL : gid.interfaceId());
    }
}
