/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Context;
import io.verbs4j.Gid;
import io.verbs4j.LinkLayer;
import io.verbs4j.PortAttr;
import io.verbs4j.PortState;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.bulk.control.RailAddress;
import java.util.function.Consumer;

/**
 * A device port that a rail may use.
 *
 * @param context the device
 * @param number the port's number
 */
public record RailPort(Context context, int number) {
    /** Whether it is active. */
    public boolean isActive() {
        return context.queryPort(number).state() == PortState.ACTIVE;
    }

    /**
     * Estimates how near the port is to a queue pair of a peer.
     *
     * @return number of leading bits that its GID and the peer's have in common; -1 if the links are of different kinds
     */
    public int nearness(RailAddress peer) {
        PortAttr attr = context.queryPort(number);
        QueuePairAddress address = RailAddresses.decode(peer);
        if ((attr.linkLayer() == LinkLayer.INFINIBAND) != address.infiniband()) {
            return -1;
        }
        Gid own = local(address.gid()).gid();
        int high = Long.numberOfLeadingZeros(own.subnetPrefix() ^ address.gid().subnetPrefix());
        return high < Long.SIZE
                ? high
                : high
                        + Long.numberOfLeadingZeros(
                                own.interfaceId() ^ address.gid().interfaceId());
    }

    /** Returns the port with a GID of the same kind as another one, if it has such a GID. */
    private LocalPort local(Gid like) {
        return LocalPort.of(context, number, like);
    }

    /**
     * Creates a queue pair to offer to the peer.
     *
     * @param prepare receives the queue pair before it is connected
     */
    public RailQueuePair open(ProtectionDomain pd, QpInitAttr attr, Consumer<QueuePair> prepare) {
        return new RailQueuePair(new ReliableQueuePair(pd, attr, 0, local(Gid.of(0, 0xffff_0000_0000L)), prepare));
    }

    /** Creates a queue pair to connect to the one that the peer has offered. */
    public RailQueuePair open(ProtectionDomain pd, QpInitAttr attr, Consumer<QueuePair> prepare, RailAddress peer) {
        LocalPort local = local(RailAddresses.decode(peer).gid());
        return new RailQueuePair(new ReliableQueuePair(pd, attr, 0, local, prepare));
    }
}
