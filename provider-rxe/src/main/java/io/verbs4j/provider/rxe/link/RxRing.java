/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/**
 * Receives several datagrams with one system call, each of which may hold several packets that the kernel joined
 * (UDP_GRO), and delivers the packets one by one. Belongs to the polling thread.
 */
final class RxRing {
    /** Datagrams per call if each may hold several packets. */
    private static final int JOINED_COUNT = 8;

    private static final int JOINED_ROOM = 65536;

    /** Datagrams per call if each is one packet. */
    private static final int SINGLE_COUNT = 32;

    /** Larger than any packet, so that oversized ones are recognized. */
    private static final int SINGLE_ROOM = 8192;

    private static final int CONTROL_ROOM = 64;

    private final int count;
    private final int room;
    private final ByteBuffer data;
    private final StructBuffer m;
    private final int iovs;
    private final int names;
    private final int controls;
    private final int family;
    private final LinkCounters counters;

    /** Number of messages of the last call, and how many of them were processed. */
    private int received;

    private int taken;

    /** The datagram whose packets are being delivered. */
    private int position;

    private int end;
    private int segment;
    private long sourceHigh;
    private long sourceLow;
    private int sourcePort;
    private UdpSocket socket;

    RxRing(boolean joined, int family, LinkCounters counters) {
        this.count = joined ? JOINED_COUNT : SINGLE_COUNT;
        this.room = joined ? JOINED_ROOM : SINGLE_ROOM;
        this.family = family;
        this.counters = counters;
        data = ByteBuffer.allocateDirect(count * room);
        iovs = count * StructBuffer.MMSG_SIZE;
        names = iovs + count * StructBuffer.IOV_SIZE;
        controls = names + count * SockAddr.SPACE;
        m = new StructBuffer(controls + count * CONTROL_ROOM);
        long dataAddress = NativeMemory.address(data);
        for (int i = 0; i < count; i++) {
            int iov = iovs + i * StructBuffer.IOV_SIZE;
            m.putLong(iov, dataAddress + (long) i * room);
            m.putLong(iov + StructBuffer.IOV_LEN, room);
            int h = i * StructBuffer.MMSG_SIZE;
            m.putLong(h + StructBuffer.MSG_NAME, m.address(names + i * SockAddr.SPACE));
            m.putLong(h + StructBuffer.MSG_IOV, m.address(iov));
            m.putLong(h + StructBuffer.MSG_IOVLEN, 1);
            m.putLong(h + StructBuffer.MSG_CONTROL, m.address(controls + i * CONTROL_ROOM));
            rearm(i);
        }
    }

    private void rearm(int i) {
        int h = i * StructBuffer.MMSG_SIZE;
        m.putInt(h + StructBuffer.MSG_NAMELEN, SockAddr.SPACE);
        m.putLong(h + StructBuffer.MSG_CONTROLLEN, CONTROL_ROOM);
    }

    /** Returns whether packets of an earlier call are still to be delivered. */
    boolean hasPackets() {
        return position < end || taken < received;
    }

    /**
     * Receives what has arrived; call it once {@link #hasPackets()} returns false. Returns whether there may be more.
     */
    boolean receive(UdpSocket from) {
        for (int i = 0; i < received; i++) {
            rearm(i);
        }
        socket = from;
        taken = 0;
        received = from.receive(m.address(0), count);
        if (received < 0) {
            int errno = -received;
            received = 0;
            if (errno != Posix.EAGAIN && errno != Posix.EINTR && errno != Posix.ECONNREFUSED) {
                counters.add(LinkCounters.RX_ERRORS, 1);
            }
            // The last two are not about this call, so the next one may succeed.
            return errno == Posix.EINTR || errno == Posix.ECONNREFUSED;
        }
        return received == count;
    }

    /** Delivers packets, valid or not; returns their number. */
    int deliver(RxPath path, PacketHandler handler, int maxPackets) {
        int seen = 0;
        while (seen < maxPackets && hasPackets()) {
            seen++;
            if (position == end && !nextDatagram()) {
                continue;
            }
            int at = position;
            int length = Math.min(segment, end - at);
            position = at + length; // before the handler, which may throw
            path.deliver(
                    data,
                    at,
                    length,
                    sourceHigh,
                    sourceLow,
                    sourcePort,
                    socket.boundHigh(),
                    socket.boundLow(),
                    handler);
        }
        return seen;
    }

    /** Moves to the next datagram; returns false if it holds no packets. */
    private boolean nextDatagram() {
        int i = taken++;
        int h = i * StructBuffer.MMSG_SIZE;
        int name = names + i * SockAddr.SPACE;
        int length = m.getInt(h + StructBuffer.MMSG_LEN);
        segment = length;
        readControl(controls + i * CONTROL_ROOM, m.getLong(h + StructBuffer.MSG_CONTROLLEN));
        if ((m.getInt(h + StructBuffer.MSG_FLAGS) & Posix.MSG_TRUNC) != 0) {
            counters.add(LinkCounters.RX_OVERSIZE, 1);
            return false;
        }
        if (m.getInt(h + StructBuffer.MSG_NAMELEN) == 0 || SockAddr.family(m, name) != family) {
            counters.add(LinkCounters.RX_BAD_SOURCE, 1);
            return false;
        }
        if (length <= 0) {
            counters.add(LinkCounters.RX_RUNT, 1);
            return false;
        }
        position = i * room;
        end = position + length;
        sourceHigh = SockAddr.high(m, name);
        sourceLow = SockAddr.low(m, name);
        sourcePort = SockAddr.port(m, name);
        return true;
    }

    /** Reads the size of the packets in a joined datagram, and how many datagrams the kernel has dropped. */
    private void readControl(int at, long length) {
        int limit = at + (int) Math.min(length, CONTROL_ROOM);
        while (limit - at >= StructBuffer.CMSG_DATA + 4) {
            int size = (int) m.getLong(at);
            int level = m.getInt(at + StructBuffer.CMSG_LEVEL);
            int type = m.getInt(at + StructBuffer.CMSG_TYPE);
            int value = m.getInt(at + StructBuffer.CMSG_DATA);
            if (level == Posix.SOL_UDP && type == Posix.UDP_GRO && value > 0) {
                segment = value;
            } else if (level == Posix.SOL_SOCKET && type == Posix.SO_RXQ_OVFL) {
                counters.add(LinkCounters.RX_OVERRUN, socket.overrunSince(value));
            }
            if (size < StructBuffer.CMSG_DATA) {
                return;
            }
            at += size + 7 & ~7;
        }
    }
}
