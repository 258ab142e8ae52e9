/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.QpType;
import io.verbs4j.provider.rxe.base.Mishaps;
import io.verbs4j.provider.rxe.link.PacketHandler;
import io.verbs4j.provider.rxe.memory.IntTable;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.wire.Deth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;

/**
 * Receives the packets of one link: finds the queue pair of each, checks that it may have the packet, and passes it on.
 * For one thread at a time.
 */
public final class Dispatcher implements PacketHandler {
    /**
     * The default partition, without the top bit, which distinguishes full from limited members and is not compared.
     */
    private static final int PARTITION = 0x7fff;

    /** The queue pair of the general service interface. */
    static final int GSI_QPN = 1;

    /** Length of a management packet; in a shorter one, trailing zeros were left out. */
    static final int MAD_LENGTH = 256;

    private static final int SHORTEST_MAD = 232;

    private final PacketHost port;
    private final IntTable<RxeQp> qps;
    private final AwaitedReceipts receipts;
    private final TransportCounters counters;

    private final Mishaps mishaps = new Mishaps("a packet could not be handled");

    /** The paths to notify at the end of the burst, linked by {@link PacketPath#nextInBurst}. */
    private PacketPath burst;

    private PacketPath lastOfBurst;

    /** The paths to notify when an answer is late, linked by {@link PacketPath#nextAwaiting}. */
    private volatile PacketPath awaiting;

    Dispatcher(PacketHost port, AwaitedReceipts receipts, TransportCounters counters) {
        this.port = port;
        this.qps = port.queuePairs();
        this.receipts = receipts;
        this.counters = counters;
    }

    @Override
    public boolean wants(Packet packet) {
        int qpn = packet.destQpn();
        return isOfPartition(packet)
                && (qpn == GSI_QPN
                        ? managementFor(packet) != null
                        : qpn == UdPath.MULTICAST_QPN || pathFor(packet, qps.get(qpn)) != null);
    }

    @Override
    public boolean hasReceipts() {
        return receipts.any();
    }

    @Override
    public void onPacket(Packet packet) {
        PacketPath path = null;
        try {
            int qpn = packet.destQpn();
            if (!isOfPartition(packet)) {
                return;
            }
            if (packet.remote() != null && !maySpan(packet.opcode())) {
                counters.count(TransportCounters.WRONG_SERVICE);
            } else if (qpn == UdPath.MULTICAST_QPN) {
                multicast(packet);
            } else if (qpn == GSI_QPN) {
                ManagementPackets management = managementFor(packet);
                if (management != null) {
                    management.onPacket(packet);
                }
            } else {
                path = pathFor(packet, qps.get(qpn));
                dispatch(packet, path);
            }
        } catch (Throwable e) {
            failed(path, e);
        }
    }

    /**
     * Returns whether a packet may stand for others: for messages of RC, whose memory does not change until they are
     * acknowledged, and for answers to its reads, whose memory may change at any time anyway.
     */
    private static boolean maySpan(int opcode) {
        return Opcode.service(opcode) == Opcode.RC
                && (Opcode.isSend(opcode) || Opcode.isWrite(opcode) || Opcode.isReadResponse(opcode));
    }

    private boolean isOfPartition(Packet packet) {
        if ((packet.pkey() & PARTITION) != PARTITION) {
            counters.count(TransportCounters.WRONG_PKEY);
            return false;
        }
        return true;
    }

    private void dispatch(Packet packet, PacketPath path) {
        if (path != null) {
            if (path.wantsBurstEnd() && !path.inBurst) {
                note(path);
            }
            path.onPacket(packet);
        }
    }

    /** Returns the path of the queue pair that accepts a packet; otherwise counts the packet and returns null. */
    private PacketPath pathFor(Packet packet, RxeQp qp) {
        if (qp == null) {
            counters.count(TransportCounters.UNKNOWN_QP);
        } else if (Opcode.service(packet.opcode()) != service(qp)) {
            counters.count(TransportCounters.WRONG_SERVICE);
        } else if (!qp.isReceiving() || !(qp.path() instanceof PacketPath path)) {
            // The state is volatile and set after the path, so whoever sees the state sees the path.
            counters.count(TransportCounters.WRONG_STATE);
        } else if (!path.isFromPeer(packet)) {
            counters.count(TransportCounters.WRONG_SOURCE);
        } else {
            return path;
        }
        return null;
    }

    /**
     * Returns the receiver of a packet to queue pair 1; if it can't be accepted, counts the packet and returns null.
     */
    private ManagementPackets managementFor(Packet packet) {
        ManagementPackets management = port.management();
        int length = packet.payloadLength();
        if (management == null) {
            counters.count(TransportCounters.UNKNOWN_QP);
        } else if (packet.opcode() != Opcode.UD_SEND_ONLY) {
            counters.count(TransportCounters.WRONG_SERVICE);
        } else if (packet.qkey() != Deth.GSI_QKEY) {
            counters.count(TransportCounters.WRONG_QKEY);
        } else if (length < SHORTEST_MAD || length > MAD_LENGTH) {
            counters.count(TransportCounters.WRONG_MAD_LENGTH);
        } else {
            return management;
        }
        return null;
    }

    private static int service(RxeQp qp) {
        return switch (qp.qpType()) {
            case QpType.RC -> Opcode.RC;
            case QpType.UC -> Opcode.UC;
            case QpType.XRC_SEND, QpType.XRC_RECV -> Opcode.XRC;
            default -> Opcode.UD;
        };
    }

    private void multicast(Packet packet) {
        if (Opcode.service(packet.opcode()) != Opcode.UD) {
            counters.count(TransportCounters.WRONG_SERVICE);
            return;
        }
        // Looking it up in a map needs an object, but datagrams to groups are rare.
        Gid group = Gid.of(packet.destinationGidHigh(), packet.destinationGidLow());
        RxeQp[] attached = port.attached(group);
        if (attached.length == 0) {
            counters.count(TransportCounters.UNKNOWN_QP);
        }
        for (RxeQp qp : attached) {
            if (!qp.blocksItsMulticasts() || !isSender(packet, qp)) {
                dispatch(packet, pathFor(packet, qp));
            }
        }
    }

    /**
     * Returns whether a datagram to a group, which is delivered to this whole machine, was sent by a queue pair itself.
     */
    private boolean isSender(Packet packet, RxeQp qp) {
        if (packet.srcQpn() != qp.qpNum()) {
            return false;
        }
        for (Gid gid : port.gids()) {
            if (gid.interfaceId() == packet.sourceGidLow() && gid.subnetPrefix() == packet.sourceGidHigh()) {
                return true;
            }
        }
        return false;
    }

    private void note(PacketPath path) {
        path.inBurst = true;
        if (burst == null) {
            burst = path;
        } else {
            lastOfBurst.nextInBurst = path;
        }
        lastOfBurst = path;
    }

    /** Starts a new burst: the program has answered the packets of earlier ones, or its answers are late. */
    public void burstBegins() {
        PacketPath path = awaiting;
        if (path == null) {
            return;
        }
        awaiting = null;
        while (path != null) {
            PacketPath next = path.nextAwaiting;
            path.nextAwaiting = null;
            path.awaitsAnswer = false;
            try {
                path.answerIsLate();
            } catch (Throwable e) {
                failed(path, e);
            }
            path = next;
        }
    }

    /**
     * {@return whether a program may still answer what it has received, so that {@link #burstBegins()} must be called
     * soon} Any thread may ask.
     */
    public boolean awaitsAnswers() {
        return awaiting != null;
    }

    /**
     * Ends a burst, because no more packets are available: answers what was received.
     *
     * @param polled whether the packets were received by a polling program, which will poll again soon or have
     * {@link     #burstBegins} called
     */
    public void burstEnded(boolean polled) {
        receipts.take(); // before the paths of the burst send more
        while (burst != null) {
            PacketPath path = burst;
            burst = path.nextInBurst;
            path.nextInBurst = null;
            path.inBurst = false;
            try {
                if (path.burstEnded(polled) && !path.awaitsAnswer) {
                    path.awaitsAnswer = true;
                    path.nextAwaiting = awaiting;
                    awaiting = path;
                }
            } catch (Throwable e) {
                failed(path, e);
            }
        }
        lastOfBurst = null; // or the last path would outlive its queue pair
    }

    /** Handles a fault in this program, or a lack of memory, which ends the connection at most. */
    private void failed(PacketPath path, Throwable e) {
        Mishaps.passOnDeath(e);
        counters.count(TransportCounters.FAILURE);
        mishaps.note(e);
        if (path != null) {
            path.qp.failSoon(path);
        }
    }
}
