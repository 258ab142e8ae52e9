/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceTraits;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GidEntry;
import io.verbs4j.GidType;
import io.verbs4j.GlobalRoute;
import io.verbs4j.LinkLayer;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.PortState;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import java.net.InetAddress;
import java.security.SecureRandom;

/** A queue pair that this side connects by itself, from RESET to RTS. For one thread. */
final class QueuePairMoves implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String VERB = "bulk_connect";
    private static final int HOP_LIMIT = 64;

    /** 4.096 us times 2 to the power of 14: packets that are not acknowledged for 67 ms are sent again. */
    private static final int ACK_TIMEOUT = 14;

    private static final int RETRIES = 7;

    /** Without end; it should not come to that, as messages have credits. */
    private static final int RNR_RETRIES = 7;

    /** 0.64 ms. */
    private static final int RNR_TIMER = 12;

    private static final int MAX_READS = 0xff;

    private final Context context;
    private final QueuePair qp;
    private final QueuePairAddress own;
    private final int ownKey;
    private final int port;
    private final int gidIndex;

    /**
     * Makes the queue pair, and takes it to INIT.
     *
     * @param local the address of this machine by which the peer was reached: its GID is taken, if there is one
     */
    QueuePairMoves(ConnectionSide side, InetAddress local) {
        context = side.pd().context();
        ownKey = side.hello().ringKey();
        port = activePort(context);
        PortAttr attr = context.queryPort(port);
        boolean infiniband = attr.linkLayer() == LinkLayer.INFINIBAND;
        gidIndex = infiniband ? 0 : gidIndex(context, port, attr.gidTblLen(), local);
        DeviceAttr device = context.queryDevice();
        boolean reads = (context.queryDeviceEx().sendOpsRc() & QpCreateSendOps.RDMA_READ) != 0;
        qp = side.pd().createQp(side.attr());
        boolean done = false;
        try {
            qp.modify(new QpAttr()
                    .qpState(QpState.INIT)
                    .pkeyIndex(0)
                    .portNum(port)
                    .qpAccessFlags(AccessFlags.REMOTE_WRITE | (reads ? AccessFlags.REMOTE_READ : 0)));
            own = new QueuePairAddress(
                    qp.qpNum(), // some devices have none before INIT
                    RANDOM.nextInt(QueuePairAddress.MAX_24_BITS + 1),
                    context.queryGid(port, gidIndex),
                    attr.lid(),
                    attr.activeMtu(),
                    infiniband,
                    reads ? Math.min(device.maxQpRdAtom(), MAX_READS) : 0,
                    reads ? Math.min(device.maxQpInitRdAtom(), MAX_READS) : 0);
            done = true;
        } finally {
            if (!done) {
                qp.close();
            }
        }
    }

    private static int activePort(Context context) {
        int ports = context.queryDevice().physPortCnt();
        for (int port = 1; port <= ports; port++) {
            if (context.queryPort(port).state() == PortState.ACTIVE) {
                return port;
            }
        }
        throw new VerbsException(
                Errno.ENETUNREACH, VERB, context.device() + " has no active port; check its cable or interface");
    }

    /** The GID of the address; else the first of RoCE v2 that is not of one link alone; else the first. */
    private static int gidIndex(Context context, int port, int count, InetAddress local) {
        int index = -1;
        for (int i = 0; i < count; i++) {
            GidEntry entry = context.queryGidEx(port, i);
            if (entry.gid().equals(Gid.ZERO) || entry.gidType() != GidType.ROCE_V2) {
                continue;
            }
            InetAddress address = entry.gid().toInetAddress();
            if (address.equals(local)) {
                return i;
            }
            if (index < 0 && !address.isLinkLocalAddress()) {
                index = i;
            }
        }
        return Math.max(index, 0);
    }

    QueuePair queuePair() {
        return qp;
    }

    QueuePairAddress address() {
        return own;
    }

    /**
     * Has the queue pair receive from a peer's.
     *
     * @param key the key of the peer's memory, 0 where it gives none
     * @throws VerbsException {@link Errno#EPROTO} for an address that can't be one
     */
    void receive(QueuePairAddress peer, int key) {
        require(peer, key);
        AhAttr path = new AhAttr().portNum(port);
        if (own.infiniband()) {
            path.dlid(peer.lid());
        } else {
            path.isGlobal(true)
                    .grh(new GlobalRoute().dgid(peer.gid()).sgidIndex(gidIndex).hopLimit(HOP_LIMIT));
        }
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(path)
                .pathMtu(Math.min(own.mtu(), peer.mtu()))
                .destQpNum(peer.qpNum())
                .rqPsn(peer.psn())
                .maxDestRdAtomic(Math.min(own.answers(), peer.reads()))
                .minRnrTimer(RNR_TIMER));
    }

    private void require(QueuePairAddress peer, int key) {
        if (peer.infiniband() != own.infiniband()) {
            throw refused("one side's port is InfiniBand, and the other's is not");
        }
        if (peer.qpNum() < 0
                || peer.qpNum() > QueuePairAddress.MAX_24_BITS
                || peer.psn() < 0
                || peer.psn() > QueuePairAddress.MAX_24_BITS) {
            throw refused("queue pair " + Integer.toUnsignedString(peer.qpNum()) + " with packet sequence number "
                    + Integer.toUnsignedString(peer.psn()) + ", which have 24 bits");
        }
        if (peer.mtu() < Mtu.MTU_256) {
            throw refused("path MTU " + peer.mtu() + ", which is none");
        }
        boolean one = (context.queryDeviceEx().deviceTraits() & DeviceTraits.KEYS_BY_CONNECTION) != 0;
        if (one && key != 0 && key != ownKey) {
            throw refused("a connection of " + context.device() + " has one key for both sides, and the peer's is "
                    + Integer.toHexString(key) + ", not " + Integer.toHexString(ownKey)
                    + "; open both devices with the same key");
        }
    }

    private static VerbsException refused(String what) {
        return new VerbsException(Errno.EPROTO, VERB, "the queue pairs can't be connected: " + what);
    }

    /** Has the queue pair send, when it can receive. */
    void send(QueuePairAddress peer) {
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .timeout(ACK_TIMEOUT)
                .retryCnt(RETRIES)
                .rnrRetry(RNR_RETRIES)
                .sqPsn(own.psn())
                .maxRdAtomic(Math.min(own.reads(), peer.answers())));
    }

    @Override
    public void close() {
        qp.close();
    }
}
