/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.provider.rxe.wire.PcapWriter;
import java.nio.ByteBuffer;

/** Sees all packets of a link, in both directions, as they are on the wire. Writes them to a file. */
final class PacketTap {
    private final PcapWriter writer;

    PacketTap(PcapWriter writer) {
        this.writer = writer;
    }

    /** Records a packet about to be sent. */
    void sent(ByteBuffer b, int off, int len, long srcHigh, long srcLow, long dstHigh, long dstLow, int ipId) {
        write(b, off, len, srcHigh, srcLow, Link.PORT, dstHigh, dstLow, ipId);
    }

    /** Records a received datagram, valid or not. */
    void received(
            ByteBuffer b,
            int off,
            int len,
            long srcHigh,
            long srcLow,
            int srcPort,
            long dstHigh,
            long dstLow,
            int ipId) {
        write(b, off, len, srcHigh, srcLow, srcPort, dstHigh, dstLow, ipId);
    }

    /** Flushes recorded packets to the file. */
    void flush() {
        writer.flush();
    }

    private void write(
            ByteBuffer b,
            int off,
            int len,
            long srcHigh,
            long srcLow,
            int srcPort,
            long dstHigh,
            long dstLow,
            int ipId) {
        long nanos = System.currentTimeMillis() * 1_000_000L;
        writer.write(nanos, b, off, len, srcHigh, srcLow, dstHigh, dstLow, srcPort, Link.PORT, ipId);
    }
}
