/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.share.Signal;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Packet;
import java.nio.ByteBuffer;

/**
 * Processes every received datagram: checks its format, asks the handler whether it wants it, verifies the ICRC and
 * calls the handler. Belongs to the polling thread.
 */
final class RxPath {
    /** Maximum size of a packet with a path MTU of 4096. */
    static final int MAX_PACKET = 4096 + Link.HEADROOM;

    private final Packet packet = new Packet();
    private final Icrc icrc;
    private final LinkCounters counters;
    private final PacketTap tap;
    private int packets;
    private long bytes;

    /** Handles {@link Signal}s; null if there are none. */
    private SignalHandler signals;

    /** Handles datagrams that are not packets. */
    @FunctionalInterface
    interface SignalHandler {
        /** Handles a signal, which may come from any sender. */
        void onSignal(long kind, long address, long srcHigh, long srcLow);
    }

    void signals(SignalHandler handler) {
        signals = handler;
    }

    RxPath(LinkCounters counters, PacketTap tap) {
        this(counters, tap, false);
    }

    /** If {@code strict}, accepts only the IPv4 identifications of this project's own senders; see {@link Icrc}. */
    RxPath(LinkCounters counters, PacketTap tap, boolean strict) {
        this.counters = counters;
        this.tap = tap;
        this.icrc = new Icrc(strict);
    }

    /**
     * Returns whether everything that arrives at an address was sent by sockets of this machine (127.0.0.0/8). A link
     * that damages many packets on purpose must then be strict, because trying every identification would let some of
     * them pass.
     */
    static boolean isOfThisMachine(Gid local) {
        return local.isIpv4Mapped() && (local.interfaceId() >>> 24 & 0xff) == 127;
    }

    /** Passes a datagram to the handler if it is a valid packet. */
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
            if (tap == null && !handler.wants(packet)) { // a tap sees every packet, with the solved identification
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

    /** Returns the counter of the reason to drop a datagram for its format, or -1. */
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

    /**
     * Counts the packets passed to the handler since the last call (once per poll, not per packet), and returns their
     * number.
     */
    int settle() {
        long received = bytes;
        int n = take();
        if (n > 0) {
            counters.add(LinkCounters.RX_PACKETS, n);
            counters.add(LinkCounters.RX_BYTES, received);
        }
        return n;
    }

    /** Returns the number of packets passed to the handler since the last call, without counting them. */
    int take() {
        int n = packets;
        packets = 0;
        bytes = 0;
        return n;
    }
}
