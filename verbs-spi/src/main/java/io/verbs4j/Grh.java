/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.nio.ByteBuffer;

/**
 * The forty bytes in front of a received datagram.
 *
 * <pre>
 *  IPv6 and InfiniBand                        RoCE v2 over IPv4
 *   0  version 4 | traffic class 8 | flow 20   0  20 undefined bytes
 *   4  payload length 16 | next 8 | hop 8     20  IPv4 header: version 4 | IHL 4 | TOS 8 | length 16
 *   8  source GID                             28  TTL 8 | protocol 8 | checksum 16
 *  24  destination GID                        32  source address, 36 destination address
 * </pre>
 *
 * <p>Source: InfiniBand Architecture Specification 8.3, RoCE v2 annex A17.
 */
final class Grh {
    private static final int LENGTH = 40;
    private static final int IPV4_OFFSET = 20;

    private Grh() {}

    static AhAttr pathBack(Context context, int portNum, WorkCompletion wc, ByteBuffer buffer) {
        if (wc == null) {
            throw new VerbsException(Errno.EINVAL, "init_ah_from_wc", "wc is null; pass the completion of the receive");
        }
        AhAttr ah = new AhAttr()
                .dlid(wc.slid())
                .sl(wc.sl())
                .srcPathBits(wc.dlidPathBits())
                .portNum(portNum);
        if ((wc.wcFlags() & WcFlags.GRH) == 0) {
            return ah;
        }
        if (buffer == null || buffer.remaining() < LENGTH) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "init_ah_from_wc",
                    "a GRH has 40 bytes; the buffer has " + (buffer == null ? "none" : buffer.remaining()));
        }
        ByteBuffer grh = buffer.slice(); // big-endian, whatever the buffer's own order
        int word = grh.getInt(0);
        GlobalRoute route = ah.isGlobal(true).grh();
        if (word >>> 28 == 6) {
            route.trafficClass(word >>> 20 & 0xff)
                    .flowLabel(word & 0xfffff)
                    .hopLimit(0xff)
                    .dgid(Gid.of(grh.getLong(8), grh.getLong(16)))
                    .sgidIndex(indexOf(context, portNum, Gid.of(grh.getLong(24), grh.getLong(32))));
        } else if (grh.get(IPV4_OFFSET) >>> 4 == 4) {
            route.trafficClass(grh.get(IPV4_OFFSET + 1) & 0xff)
                    .hopLimit(0xff)
                    .dgid(mapped(grh.getInt(32)))
                    .sgidIndex(indexOf(context, portNum, mapped(grh.getInt(36))));
        } else {
            throw new VerbsException(
                    Errno.EINVAL, "init_ah_from_wc", "the buffer begins with neither an IPv6 nor an IPv4 header");
        }
        return ah;
    }

    private static Gid mapped(int ipv4) {
        return Gid.of(0, 0xffff_0000_0000L | Integer.toUnsignedLong(ipv4));
    }

    private static int indexOf(Context context, int portNum, Gid gid) {
        int entries = context.queryPort(portNum).gidTblLen();
        for (int i = 0; i < entries; i++) {
            // A multicast group's GID is in no table: any entry of the same family works, so take the first.
            Gid entry = context.queryGid(portNum, i);
            if (entry.equals(gid) || gid.isMulticast() && entry.isIpv4Mapped() == gid.isIpv4Mapped()) {
                return i;
            }
        }
        throw new VerbsException(Errno.EINVAL, "init_ah_from_wc", "port " + portNum + " does not have the GID " + gid);
    }
}
