/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.link.BatchPool;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.TxBatch;
import io.verbs4j.provider.rxe.share.Channel;
import io.verbs4j.provider.rxe.share.Receipt;
import io.verbs4j.provider.rxe.share.RingWriter;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Icrc;
import java.nio.ByteBuffer;

/**
 * Sends the packets of a connected queue pair to its peer: a batch, and the fields that are the same in all packets.
 * For one thread at a time.
 */
final class PacketOutput {
    /** Enough for a sending and a receiving thread; more are created when needed. */
    private static final int AT_LEAST = 2;

    private final BatchPool batches;
    private final Link link;
    private final Gid peer;

    /** The channel to the peer that bypasses packets, or null. Replaced when it is dropped. */
    private Channel channel;

    private final long dstHigh;
    private final long dstLow;
    private final int dstQpn;

    /** Borrowed from the first packet until all are sent; otherwise null. */
    private TxBatch batch;

    private ByteBuffer buffer;

    /** The ring with packets that were written to it but are not visible yet, or null. */
    private RingWriter written;

    PacketOutput(Link link, Gid peer, int dstQpn) {
        this.link = link;
        this.peer = peer;
        this.batches = link.batches();
        batches.reserve(AT_LEAST);
        this.channel = link.reach(peer);
        this.dstHigh = peer.subnetPrefix();
        this.dstLow = peer.interfaceId();
        this.dstQpn = dstQpn;
    }

    /** Begins a packet of {@code length} bytes without ICRC; returns its index in {@link #buffer()}. */
    int begin(int length) {
        if (batch == null) {
            batch = batches.take();
            buffer = batch.buffer();
        }
        return batch.begin(dstHigh, dstLow, length);
    }

    /** Looks again for a channel to the peer that bypasses packets. */
    void reach() {
        if (channel != null) {
            channel = link.reach(peer);
        }
    }

    /** {@return the ring that packets currently go through, or null if they go through the socket} */
    RingWriter ring() {
        Channel now = channel;
        if (now == null) {
            return null;
        }
        RingWriter ring = now.ring();
        if (ring == null && now.isDropped()) {
            channel = link.reach(peer);
        }
        return ring;
    }

    /**
     * {@return whether there is room for a few more packets at their destination} If not, the caller tries again later.
     */
    boolean hasRoom() {
        RingWriter ring = ring();
        return ring == null || ring.hasRoom();
    }

    /**
     * Begins a span in a ring, after the pending packets. Its headers then go to {@link #buffer()}.
     *
     * @return the result of {@link RingWriter#beginSpan()}
     */
    int beginSpan(RingWriter ring) {
        flush();
        buffer = ring.buffer();
        return ring.beginSpan();
    }

    /**
     * Begins a packet in a ring, after the pending packets of the batch. It goes to {@link #buffer()}.
     *
     * @return the result of {@link RingWriter#beginPacket}
     */
    int beginPacket(RingWriter ring, int length) {
        if (batch != null || written != ring && written != null) {
            flush();
        }
        buffer = ring.buffer();
        return ring.beginPacket(length + Icrc.LENGTH);
    }

    /** Ends a packet in a ring; see {@link RingWriter#endPacket}. */
    void endPacket(RingWriter ring, int length, Receipt receipt, boolean more) {
        written = ring.endPacket(length + Icrc.LENGTH, receipt, more) ? ring : null;
    }

    void header(int at, int opcode, boolean solicited, int pad, boolean ackReq, int psn) {
        Bth.write(buffer, at, opcode, solicited, false, pad, Bth.DEFAULT_PKEY, dstQpn, ackReq, psn);
    }

    void pad(int at, int pad) {
        for (int i = 0; i < pad; i++) {
            buffer.put(at + i, (byte) 0);
        }
    }

    /** {@return the buffer to write to, between the beginning and the end of a packet or span} */
    ByteBuffer buffer() {
        return buffer;
    }

    long address() {
        return batch.bufferAddress();
    }

    void end(int length) {
        batch.end(length);
    }

    void endTwice(int length) {
        batch.endTwice(length);
    }

    boolean isEmpty() {
        return written == null && (batch == null || batch.isEmpty());
    }

    /** {@return whether it is better to send now than to wait for more packets} */
    boolean isScarce() {
        return batches.isScarce();
    }

    /** Sends the pending packets. Must also be called without any, because this returns the batch. */
    void flush() {
        if (written != null) {
            written.show();
            written = null;
        }
        if (batch != null) {
            batch.flush();
            batches.give(batch);
            batch = null;
        }
    }
}
