/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.AhAttr;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GidEntry;
import io.verbs4j.GidType;
import io.verbs4j.GlobalRoute;
import io.verbs4j.LinkLayer;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.PortState;
import io.verbs4j.VerbsException;
import java.net.InetAddress;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The device port that a queue pair is connected through.
 *
 * @param number its number
 * @param gidIndex index of the GID that packets are sent from
 * @param gid that GID
 * @param lid its LID, or 0
 * @param mtu its path MTU, an {@link Mtu} value
 * @param infiniband whether it is addressed by its LID
 */
record LocalPort(int number, int gidIndex, Gid gid, int lid, int mtu, boolean infiniband) {
    private static final String VERB = "bulk_connect";
    private static final int HOP_LIMIT = 64;

    /**
     * Returns the first active port of a device.
     *
     * @param local this machine's address on the route to the peer; its GID is used if the port has one
     */
    static LocalPort of(Context context, InetAddress local) {
        return of(context, activePort(context), local);
    }

    /** Returns a port of a device, active or not. */
    static LocalPort of(Context context, int port, InetAddress local) {
        return of(context, port, gids -> gidIndex(gids, local));
    }

    /** Returns a port of a device with a GID of the same kind as another one: IPv4 or not, link-local or not. */
    static LocalPort of(Context context, int port, Gid like) {
        return of(
                context,
                port,
                gids -> gids.stream()
                        .filter(entry -> isOfKind(entry.gid(), like))
                        .findFirst()
                        .map(GidEntry::gidIndex)
                        .orElseGet(() -> gidIndex(gids, InetAddress.getLoopbackAddress())));
    }

    private static LocalPort of(Context context, int port, ToIntFunction<List<GidEntry>> choice) {
        PortAttr attr = context.queryPort(port);
        boolean infiniband = attr.linkLayer() == LinkLayer.INFINIBAND;
        int index = infiniband ? 0 : choice.applyAsInt(gids(context, port));
        return new LocalPort(port, index, context.queryGid(port, index), attr.lid(), attr.activeMtu(), infiniband);
    }

    private static boolean isOfKind(Gid gid, Gid like) {
        return gid.isIpv4Mapped() == like.isIpv4Mapped()
                && gid.toInetAddress().isLinkLocalAddress()
                        == like.toInetAddress().isLinkLocalAddress();
    }

    private static int activePort(Context context) {
        int port = firstActivePort(context);
        if (port == 0) {
            throw new VerbsException(
                    Errno.ENETUNREACH, VERB, context.device() + " has no active port; check its cable or interface");
        }
        return port;
    }

    private static int firstActivePort(Context context) {
        int ports = context.queryDevice().physPortCnt();
        for (int port = 1; port <= ports; port++) {
            if (context.queryPort(port).state() == PortState.ACTIVE) {
                return port;
            }
        }
        return 0;
    }

    /** Whether a local address is among the GIDs of the port that a device would connect through. */
    static boolean hasAddress(Context context, InetAddress local) {
        int port = firstActivePort(context);
        if (port == 0 || context.queryPort(port).linkLayer() == LinkLayer.INFINIBAND) {
            return false;
        }
        return gids(context, port).stream()
                .anyMatch(entry -> entry.gid().toInetAddress().equals(local));
    }

    /** Returns the RoCE v2 GIDs of a port. Most entries of a real table are empty. */
    private static List<GidEntry> gids(Context context, int port) {
        return context.queryGidTable().stream()
                .filter(entry -> entry.portNum() == port
                        && entry.gidType() == GidType.ROCE_V2
                        && !entry.gid().equals(Gid.ZERO))
                .toList();
    }

    /** Returns the GID of the address, else the first RoCE v2 GID that is not link-local, else the first GID. */
    private static int gidIndex(List<GidEntry> gids, InetAddress local) {
        int index = -1;
        for (GidEntry entry : gids) {
            InetAddress address = entry.gid().toInetAddress();
            if (address.equals(local)) {
                return entry.gidIndex();
            }
            if (index < 0 && !address.isLinkLocalAddress()) {
                index = entry.gidIndex();
            }
        }
        return Math.max(index, 0);
    }

    /**
     * Returns the path to a peer's queue pair.
     *
     * @throws VerbsException {@link Errno#EPROTO} if the address is invalid
     */
    AhAttr pathTo(QueuePairAddress peer) {
        require(peer);
        AhAttr path = new AhAttr().portNum(number);
        return infiniband
                ? path.dlid(peer.lid())
                : path.isGlobal(true)
                        .grh(new GlobalRoute()
                                .dgid(peer.gid())
                                .sgidIndex(gidIndex)
                                .hopLimit(HOP_LIMIT));
    }

    private void require(QueuePairAddress peer) {
        if (peer.infiniband() != infiniband) {
            throw refused("one side's port is InfiniBand, and the other's is not");
        }
        if (peer.qpNum() < 0
                || peer.qpNum() > QueuePairAddress.MAX_24_BITS
                || peer.psn() < 0
                || peer.psn() > QueuePairAddress.MAX_24_BITS) {
            throw refused("queue pair " + Integer.toUnsignedString(peer.qpNum()) + " with packet sequence number "
                    + Integer.toUnsignedString(peer.psn()) + "; both must fit into 24 bits");
        }
        if (peer.mtu() < Mtu.MTU_256) {
            throw refused("path MTU " + peer.mtu() + ", which is invalid");
        }
    }

    static VerbsException refused(String what) {
        return new VerbsException(Errno.EPROTO, VERB, "the queue pairs can't be connected: " + what);
    }
}
