/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.wire.Icrc;
import java.nio.ByteBuffer;

/**
 * Packets for one destination, collected for one system call. Not thread-safe.
 *
 * <p>Packets sent together obey the rule of UDP segmentation offload: all have the length of the first, and only the
 * last may be shorter. A packet that breaks the rule goes into the next call; callers need not care.
 */
public abstract class TxBatch {
    /** Maximum UDP payload of one system call. */
    static final int MAX_BYTES = 65507;

    /** Maximum number of packets of one system call: UDP_MAX_SEGMENTS of Linux before 6.9 (128 since). */
    static final int MAX_SEGMENTS = 64;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_BYTES);
    private final long address = NativeMemory.address(buffer);
    private final Icrc icrc = new Icrc();
    private final int maxSegments;
    private final PacketTap tap;
    private final long srcHigh;
    private final long srcLow;

    private long dstHigh;
    private long dstLow;
    /** Start of the waiting packets. */
    private int start;
    /** End of the waiting packets, where the next one is written. */
    private int used;

    /** Whether the waiting packets have an ICRC; if not, there is room for one. */
    private boolean sealing = true;

    private int count;
    private int segmentSize;

    /**
     * Creates an empty batch.
     *
     * @param srcHigh upper half of the source GID
     * @param srcLow lower half of the source GID
     * @param maxSegments maximum number of packets per call of {@link #transmit}
     * @param tap sees every packet, or null
     */
    TxBatch(long srcHigh, long srcLow, int maxSegments, PacketTap tap) {
        this.srcHigh = srcHigh;
        this.srcLow = srcLow;
        this.maxSegments = maxSegments;
        this.tap = tap;
    }

    /**
     * Returns the memory that packets are written to.
     *
     * @return a direct, big-endian buffer, always the same one; its position and limit have no meaning
     */
    public final ByteBuffer buffer() {
        return buffer;
    }

    /**
     * Returns the address of index 0 of {@link #buffer()}.
     *
     * @return the address
     */
    public final long bufferAddress() {
        return address;
    }

    /**
     * Begins a packet; may send the ones before it. A packet that was begun and not ended is forgotten.
     *
     * @param dstGidHigh upper half of the destination GID
     * @param dstGidLow lower half of the destination GID
     * @param maxLength bytes to reserve: BTH, headers, payload and padding, without ICRC
     * @return index in {@link #buffer()} at which to write the packet
     */
    public final int begin(long dstGidHigh, long dstGidLow, int maxLength) {
        int room = maxLength + Icrc.LENGTH;
        if (count > 0 && (dstGidLow != dstLow || dstGidHigh != dstHigh || used + room > MAX_BYTES)) {
            sendWaiting();
        }
        if (count == 0) {
            if (room > MAX_BYTES) {
                throw new IllegalArgumentException("a datagram can't hold a packet of " + maxLength + " bytes");
            }
            start = 0;
            used = 0;
            dstHigh = dstGidHigh;
            dstLow = dstGidLow;
            sealing = begins(dstGidHigh, dstGidLow);
        }
        return used;
    }

    /**
     * Ends the packet and adds the ICRC. May send it with those before it.
     *
     * @param lengthWithoutIcrc bytes written, at most the length passed to {@link #begin}
     */
    public final void end(int lengthWithoutIcrc) {
        commit(seal(lengthWithoutIcrc));
    }

    /**
     * Ends a packet with the kind of ICRC that the kernel's rxe uses for FLUSH; see {@link Icrc}.
     *
     * @param lengthWithoutIcrc bytes written, at most the length passed to {@link #begin}
     */
    public final void endTwice(int lengthWithoutIcrc) {
        commit(seal(lengthWithoutIcrc, true));
    }

    /**
     * Sends packets that begin from now until the next flush through the network, even if another way exists. For
     * packets that need no order relative to others and are too rare for a ring to be worthwhile.
     */
    public void byNetwork() {
        // links have no other way unless they override this
    }

    /** Sends the waiting packets. */
    public void flush() {
        if (count > 0) {
            sendWaiting();
        }
    }

    /**
     * Returns whether no packet waits to be sent.
     *
     * @return true if none waits
     */
    public boolean isEmpty() {
        return count == 0;
    }

    /**
     * Does the first half of {@link #end}: adds the ICRC. Returns the length with it. The packet may still be damaged
     * before {@link #commit}.
     */
    final int seal(int length) {
        return seal(length, false);
    }

    private int seal(int length, boolean twice) {
        int total = length + Icrc.LENGTH;
        if (count > 0 && total > segmentSize) {
            sendWaiting(); // this packet stays in place and becomes the first of the next call
        }
        if (sealing) {
            icrc.append(
                    buffer, used, length, srcHigh, srcLow, dstHigh, dstLow, Link.PORT, Link.PORT, ipId(count), twice);
        }
        return total;
    }

    /** Begins packets for a destination; returns whether they need an ICRC. */
    boolean begins(long dstGidHigh, long dstGidLow) {
        return true;
    }

    /** Does the second half of {@link #end}: adds the packet to those that wait. */
    final void commit(int total) {
        if (tap != null) {
            tap.sent(buffer, used, total, srcHigh, srcLow, dstHigh, dstLow, ipId(count));
        }
        if (count == 0) {
            segmentSize = total;
        }
        used += total;
        count++;
        if (total < segmentSize || count == maxSegments) {
            sendWaiting();
        }
    }

    private void sendWaiting() {
        int n = count;
        int from = start;
        count = 0;
        start = used;
        transmit(dstHigh, dstLow, from, used - from, n, segmentSize);
    }

    /** Recomputes an ICRC, for a packet that is sent differently than planned. */
    final void reseal(int offset, int totalLength) {
        icrc.append(
                buffer, offset, totalLength - Icrc.LENGTH, srcHigh, srcLow, dstHigh, dstLow, Link.PORT, Link.PORT, 0);
    }

    /**
     * Returns the identification that the IPv4 header of the n-th packet of a call will have, which the ICRC covers.
     */
    int ipId(int index) {
        return 0;
    }

    /**
     * Sends packets. They lie one after the other in {@link #buffer()}, which may be reused afterwards.
     *
     * @param dstGidHigh upper half of the destination GID
     * @param dstGidLow lower half of the destination GID
     * @param offset start of the first packet
     * @param length total size in bytes
     * @param packets number of packets
     * @param size size of each packet but the last, which may be shorter
     */
    abstract void transmit(long dstGidHigh, long dstGidLow, int offset, int length, int packets, int size);
}
