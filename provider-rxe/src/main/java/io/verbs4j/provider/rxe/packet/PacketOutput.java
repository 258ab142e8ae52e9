/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.link.BatchPool;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.TxBatch;
import io.verbs4j.provider.rxe.share.Channel;
import io.verbs4j.provider.rxe.share.RingWriter;
import io.verbs4j.provider.rxe.wire.Bth;
import java.nio.ByteBuffer;

/**
 * Packets of a connected queue pair on their way to its peer: a batch and what is the same in all. For one thread at a
 * time.
 */
final class PacketOutput {
    /** Enough for a thread that sends and one that receives; who needs more at some time makes more. */
    private static final int AT_LEAST = 2;

    private final BatchPool batches;
    private final Link link;
    private final Gid peer;

    /** The way to the peer that is none of packets; null where there is none. Another one when it is dropped. */
    private Channel channel;

    private final long dstHigh;
    private final long dstLow;
    private final int dstQpn;

    /** Borrowed from the first packet on until all are sent; else null. */
    private TxBatch batch;

    private ByteBuffer buffer;

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

    /** Begins a packet of so many bytes without ICRC; answers its index in {@link #buffer()}. */
    int begin(int length) {
        if (batch == null) {
            batch = batches.take();
            buffer = batch.buffer();
        }
        return batch.begin(dstHigh, dstLow, length);
    }

    /** Has it looked once more for a way to the peer that is none of packets. */
    void reach() {
        if (channel != null) {
            channel = link.reach(peer);
        }
    }

    /** The ring that packets go by now; null where they go by the socket. */
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

    /** Whether a few packets more have room where they go; who finds that they have not is to come again. */
    boolean hasRoom() {
        RingWriter ring = ring();
        return ring == null || ring.hasRoom();
    }

    /**
     * Begins a span in a ring, after the packets that wait; its headers go to {@link #buffer()} then.
     *
     * @return what {@link RingWriter#beginSpan()} answers
     */
    int beginSpan(RingWriter ring) {
        flush();
        buffer = ring.buffer();
        return ring.beginSpan();
    }

    void header(int at, int opcode, boolean solicited, int pad, boolean ackReq, int psn) {
        Bth.write(buffer, at, opcode, solicited, false, pad, Bth.DEFAULT_PKEY, dstQpn, ackReq, psn);
    }

    void pad(int at, int pad) {
        for (int i = 0; i < pad; i++) {
            buffer.put(at + i, (byte) 0);
        }
    }

    /** What is written to: between the beginning of a packet or span and its end. */
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
        return batch == null || batch.isEmpty();
    }

    /** Whether it is better to send than to wait for more packets. */
    boolean isScarce() {
        return batches.isScarce();
    }

    /** Sends what waits. To be called, too, where nothing does: the batch goes back then. */
    void flush() {
        if (batch != null) {
            batch.flush();
            batches.give(batch);
            batch = null;
        }
    }
}
