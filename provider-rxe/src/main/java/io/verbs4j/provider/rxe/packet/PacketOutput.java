/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.link.BatchPool;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.TxBatch;
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
    private final long dstHigh;
    private final long dstLow;
    private final int dstQpn;

    /** Borrowed from the first packet on until all are sent; else null. */
    private TxBatch batch;

    PacketOutput(Link link, Gid peer, int dstQpn) {
        this.batches = link.batches();
        batches.reserve(AT_LEAST);
        this.dstHigh = peer.subnetPrefix();
        this.dstLow = peer.interfaceId();
        this.dstQpn = dstQpn;
    }

    /** Begins a packet of so many bytes without ICRC; answers its index in {@link #buffer()}. */
    int begin(int length) {
        if (batch == null) {
            batch = batches.take();
        }
        return batch.begin(dstHigh, dstLow, length);
    }

    void header(int at, int opcode, boolean solicited, int pad, boolean ackReq, int psn) {
        Bth.write(batch.buffer(), at, opcode, solicited, false, pad, Bth.DEFAULT_PKEY, dstQpn, ackReq, psn);
    }

    void pad(int at, int pad) {
        for (int i = 0; i < pad; i++) {
            batch.buffer().put(at + i, (byte) 0);
        }
    }

    ByteBuffer buffer() {
        return batch.buffer();
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
