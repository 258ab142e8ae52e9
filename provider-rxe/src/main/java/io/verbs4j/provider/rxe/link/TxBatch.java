/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.wire.Icrc;
import java.nio.ByteBuffer;

/**
 * Packets for one destination, collected for one system call. Not thread-safe.
 *
 * <p>The packets that go out together obey the rule of UDP segmentation offload: all have the length of the first, only
 * the last may be shorter. What does not fit the rule goes out in the next call; users need not care.
 */
public abstract class TxBatch {
    /** Most UDP payload of one system call. */
    static final int MAX_BYTES = 65507;

    /** Most packets of one system call: UDP_MAX_SEGMENTS of Linux before 6.9 (128 after). */
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
    /** Where the packets that wait begin. */
    private int start;
    /** Where they end and the next one is written. */
    private int used;

    /** Whether the packets that wait have an ICRC; without, there is room for one. */
    private boolean sealing = true;

    private int count;
    private int segmentSize;

    /**
     * Makes an empty batch.
     *
     * @param srcHigh upper half of the source GID
     * @param srcLow lower half of the source GID
     * @param maxSegments most packets to hand to {@link #transmit} at a time
     * @param tap sees every packet; or null
     */
    TxBatch(long srcHigh, long srcLow, int maxSegments, PacketTap tap) {
        this.srcHigh = srcHigh;
        this.srcLow = srcLow;
        this.maxSegments = maxSegments;
        this.tap = tap;
    }

    /**
     * The memory packets are written to.
     *
     * @return a direct, big-endian buffer, always the same one; its position and limit mean nothing
     */
    public final ByteBuffer buffer() {
        return buffer;
    }

    /**
     * Address of index 0 of {@link #buffer()}.
     *
     * @return the address
     */
    public final long bufferAddress() {
        return address;
    }

    /**
     * Begins a packet; may send the ones before it. A packet begun and not ended is forgotten.
     *
     * @param dstGidHigh upper half of the destination GID
     * @param dstGidLow lower half of the destination GID
     * @param maxLength bytes to keep free: BTH, headers, payload and padding, without ICRC
     * @return index in {@link #buffer()} to write the packet at
     */
    public final int begin(long dstGidHigh, long dstGidLow, int maxLength) {
        int room = maxLength + Icrc.LENGTH;
        if (count > 0 && (dstGidLow != dstLow || dstGidHigh != dstHigh || used + room > MAX_BYTES)) {
            sendWaiting();
        }
        if (count == 0) {
            if (room > MAX_BYTES) {
                throw new IllegalArgumentException("no datagram holds a packet of " + maxLength + " bytes");
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
     * Ends the packet: adds the ICRC. May send it with those before it.
     *
     * @param lengthWithoutIcrc bytes written, not more than was said to {@link #begin}
     */
    public final void end(int lengthWithoutIcrc) {
        commit(seal(lengthWithoutIcrc));
    }

    /**
     * Ends a packet whose ICRC is as the kernel's rxe has it of a FLUSH: {@link Icrc}.
     *
     * @param lengthWithoutIcrc bytes written, not more than was said to {@link #begin}
     */
    public final void endTwice(int lengthWithoutIcrc) {
        commit(seal(lengthWithoutIcrc, true));
    }

    /**
     * Packets that begin from now on until the next flush leave by the network, also where there is another way to where they go: for what is in no order with other
     * packets, and too rare for a ring to be worth it.
     */
    public void byNetwork() {
        // there is nothing else, unless a link says so
    }

    /** Sends what waits. */
    public void flush() {
        if (count > 0) {
            sendWaiting();
        }
    }

    /**
     * Whether nothing waits to be sent.
     *
     * @return true where nothing does
     */
    public boolean isEmpty() {
        return count == 0;
    }

    /** First half of {@link #end}: the ICRC. Returns the length with it. What {@link #commit} sends may still be damaged. */
    final int seal(int length) {
        return seal(length, false);
    }

    private int seal(int length, boolean twice) {
        int total = length + Icrc.LENGTH;
        if (count > 0 && total > segmentSize) {
            sendWaiting(); // this packet stays where it is and becomes the first of the next call
        }
        if (sealing) {
            icrc.append(
                    buffer, used, length, srcHigh, srcLow, dstHigh, dstLow, Link.PORT, Link.PORT, ipId(count), twice);
        }
        return total;
    }

    /** Packets for a destination begin; answers whether they need an ICRC. */
    boolean begins(long dstGidHigh, long dstGidLow) {
        return true;
    }

    /** Second half of {@link #end}: the packet joins those that wait. */
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

    /** Computes an ICRC anew, for a packet that goes out otherwise than it was meant to. */
    final void reseal(int offset, int totalLength) {
        icrc.append(
                buffer, offset, totalLength - Icrc.LENGTH, srcHigh, srcLow, dstHigh, dstLow, Link.PORT, Link.PORT, 0);
    }

    /** The identification that the IPv4 header of the n-th packet of a call will have: the ICRC covers it. */
    int ipId(int index) {
        return 0;
    }

    /**
     * Sends packets. They lie one after the other in {@link #buffer()}, which is free again afterwards.
     *
     * @param dstGidHigh upper half of the destination GID
     * @param dstGidLow lower half of the destination GID
     * @param offset where the first begins
     * @param length bytes of all
     * @param packets how many
     * @param size bytes of each but the last, which may have fewer
     */
    abstract void transmit(long dstGidHigh, long dstGidLow, int offset, int length, int packets, int size);
}
