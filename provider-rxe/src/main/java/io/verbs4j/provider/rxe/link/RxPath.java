/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.share.Signal;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Packet;
import java.nio.ByteBuffer;

/**
 * What every datagram received goes through: form, whether anybody wants it, ICRC, handler. Belongs to the thread that polls.
 */
final class RxPath {
    /** No packet of a path MTU of 4096 is longer. */
    static final int MAX_PACKET = 4096 + Link.HEADROOM;

    private final Packet packet = new Packet();
    private final Icrc icrc;
    private final LinkCounters counters;
    private final PacketTap tap;
    private int packets;
    private long bytes;

    /** Takes {@link Signal}s; null where there are none. */
    private SignalHandler signals;

    /** Takes datagrams that are no packets. */
    @FunctionalInterface
    interface SignalHandler {
        /** One has come; anybody may have sent it. */
        void onSignal(long kind, long address, long srcHigh, long srcLow);
    }

    void signals(SignalHandler handler) {
        signals = handler;
    }

    RxPath(LinkCounters counters, PacketTap tap) {
        this(counters, tap, false);
    }

    /** With {@code strict}, takes the IPv4 identifications of this project's own senders only: see {@link Icrc}. */
    RxPath(LinkCounters counters, PacketTap tap, boolean strict) {
        this.counters = counters;
        this.tap = tap;
        this.icrc = new Icrc(strict);
    }

    /**
     * Whether all that comes to an address was sent by sockets of this machine (127.0.0.0/8). Where packets are damaged on
     * purpose, many of them, solving for any identification would let some pass.
     */
    static boolean isOfThisMachine(Gid local) {
        return local.isIpv4Mapped() && (local.interfaceId() >>> 24 & 0xff) == 127;
    }

    /** Gives a datagram to the handler where it is a good packet. */
    void deliver(
            ByteBuffer b,
            int offset,
            int length,
            long srcHigh,
            long srcLow,
            int srcPort,
            long dstHigh,
            long dstLow,
            PacketHandler handler) {
        if (length == Signal.LENGTH && signals != null && b.getLong(offset) == Signal.MAGIC) {
            signals.onSignal(b.getLong(offset + 8), b.getLong(offset + 16), srcHigh, srcLow);
            return;
        }
        int refusal = form(b, offset, length);
        if (refusal < 0) {
            packet.source(srcHigh, srcLow, srcPort);
            packet.destination(dstHigh, dstLow);
            if (tap == null && !handler.wants(packet)) { // a tap is told of all, with what only the ICRC tells
                counters.add(LinkCounters.RX_UNWANTED, 1);
                return;
            }
            boolean good = icrc.verify(b, offset, length, srcHigh, srcLow, dstHigh, dstLow, srcPort, Link.PORT);
            refusal = good ? -1 : LinkCounters.RX_BAD_ICRC;
        }
        if (tap != null) {
            int id = Math.max(icrc.solvedId(), 0);
            tap.received(b, offset, length, srcHigh, srcLow, srcPort, dstHigh, dstLow, refusal < 0 ? id : 0);
        }
        if (refusal >= 0) {
            counters.add(refusal, 1);
            return;
        }
        packets++;
        bytes += length;
        handler.onPacket(packet);
    }

    /** The counter of the reason to drop a datagram for its form, or -1. */
    private int form(ByteBuffer b, int offset, int length) {
        if (length < Packet.MIN_LENGTH) {
            return LinkCounters.RX_RUNT;
        }
        if (length > MAX_PACKET) {
            return LinkCounters.RX_OVERSIZE;
        }
        int reason = packet.parse(b, offset, length);
        return reason == Packet.OK ? -1 : LinkCounters.RX_REFUSED + reason;
    }

    /** Counts what was given to the handler since the last time (once per poll, not per packet), and answers it. */
    int settle() {
        long received = bytes;
        int n = take();
        if (n > 0) {
            counters.add(LinkCounters.RX_PACKETS, n);
            counters.add(LinkCounters.RX_BYTES, received);
        }
        return n;
    }

    /** Answers how many were given to the handler since the last time, and does not count them. */
    int take() {
        int n = packets;
        packets = 0;
        bytes = 0;
        return n;
    }
}
