/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.share.Channel;
import io.verbs4j.provider.rxe.share.RingWriter;

/** A batch that is sent with one {@code sendmsg}, which the kernel cuts into packets (UDP_SEGMENT). */
final class UdpBatch extends TxBatch {
    private static final int IOV = StructBuffer.MSG_SIZE;
    private static final int CONTROL = IOV + StructBuffer.IOV_SIZE;
    private static final int NAME = CONTROL + StructBuffer.CMSG_SPACE;
    private static final int SIZE = NAME + SockAddr.SPACE;
    private static final int CMSG_LEN = StructBuffer.CMSG_DATA + Short.BYTES;

    private final UdpLink link;
    private final boolean ipv4;
    private final StructBuffer m = new StructBuffer(SIZE);
    private final StructBuffer waiting = new StructBuffer(Poller.WAITING_SIZE);
    private boolean segmenting;

    /** The channel to the last destination, if any, and the ring of the waiting packets, or null. */
    private Channel channel;

    private long channelHigh;
    private long channelLow;
    private RingWriter ring;

    /** Whether packets must use the network even if another way exists. */
    private boolean network;

    private long namedHigh;
    private long namedLow;

    UdpBatch(UdpLink link, Gid local, PacketTap tap) {
        super(local.subnetPrefix(), local.interfaceId(), MAX_SEGMENTS, tap);
        this.link = link;
        ipv4 = local.isIpv4Mapped();
        segmenting = link.segments();
        m.putLong(StructBuffer.MSG_NAME, m.address(NAME));
        m.putLong(StructBuffer.MSG_IOV, m.address(IOV));
        m.putLong(StructBuffer.MSG_IOVLEN, 1);
        m.putLong(StructBuffer.MSG_CONTROL, m.address(CONTROL));
        m.putLong(CONTROL, CMSG_LEN);
        m.putInt(CONTROL + StructBuffer.CMSG_LEVEL, Posix.SOL_UDP);
        m.putInt(CONTROL + StructBuffer.CMSG_TYPE, Posix.UDP_SEGMENT);
    }

    @Override
    int ipId(int index) {
        return segmenting ? index : 0; // the kernel numbers the packets that it cuts
    }

    @Override
    public void byNetwork() {
        network = true;
    }

    @Override
    public void flush() {
        super.flush();
        network = false;
        ring = null; // a batch that stays unused for long would keep the ring alive
    }

    @Override
    boolean begins(long dstHigh, long dstLow) {
        if (network) {
            ring = null;
            return true;
        }
        if (dstLow != channelLow || dstHigh != channelHigh || channel == null) {
            channel = link.channel(dstHigh, dstLow);
            channelHigh = dstHigh;
            channelLow = dstLow;
        }
        ring = channel == null ? null : channel.ring();
        if (ring == null && channel != null && channel.isDropped()) {
            channel = null; // found again with the next packets
        }
        return ring == null;
    }

    @Override
    void transmit(long dstHigh, long dstLow, int offset, int length, int packets, int size) {
        if (ring != null) {
            ring.put(bufferAddress() + offset, length, size);
            return;
        }
        if (channel != null && !network) {
            channel.sendsPackets();
        }
        if (SockAddr.isIpv4(dstHigh, dstLow) != ipv4) {
            link.counters().add(LinkCounters.TX_UNREACHABLE, packets);
            return;
        }
        if (dstLow != namedLow || dstHigh != namedHigh) {
            int nameLength = SockAddr.put(m, NAME, dstHigh, dstLow, Link.PORT, link.interfaceIndex());
            m.putInt(StructBuffer.MSG_NAMELEN, nameLength);
            namedHigh = dstHigh;
            namedLow = dstLow;
        }
        if (packets == 1) {
            count(send(offset, length, 0), 1, length);
        } else if (!segmenting) {
            sendSingly(offset, length, size);
        } else {
            int errno = send(offset, length, size);
            if (errno == Posix.EMSGSIZE || errno == Posix.EINVAL || errno == Posix.EIO) {
                // Packets too long to be segmented for this path, or a device that cannot checksum them (EIO).
                link.cannotSegment(errno == Posix.EIO);
                renumber(offset, length, size);
                sendSingly(offset, length, size);
            } else {
                count(errno, packets, length);
            }
        }
        segmenting = link.segments(); // here, because no waiting packet was numbered differently
    }

    private int send(int offset, int length, int size) {
        m.putLong(IOV, bufferAddress() + offset);
        m.putLong(IOV + StructBuffer.IOV_LEN, length);
        if (size > 0) {
            m.putShort(CONTROL + StructBuffer.CMSG_DATA, size);
        }
        m.putLong(StructBuffer.MSG_CONTROLLEN, size > 0 ? StructBuffer.CMSG_SPACE : 0);
        return link.socket().send(m.address(0), waiting);
    }

    private void sendSingly(int offset, int length, int size) {
        int end = offset + length;
        for (int at = offset; at < end; at += size) {
            int n = Math.min(size, end - at);
            count(send(at, n, 0), 1, n);
        }
    }

    /** Recomputes every packet's ICRC for identification 0, which it has when it is sent alone. */
    private void renumber(int offset, int length, int size) {
        int end = offset + length;
        for (int at = offset + size; ipv4 && at < end; at += size) {
            reseal(at, Math.min(size, end - at));
        }
    }

    private void count(int errno, int packets, int bytes) {
        LinkCounters counters = link.counters();
        switch (errno) {
            case 0:
                counters.add(LinkCounters.TX_PACKETS, packets);
                counters.add(LinkCounters.TX_BYTES, bytes);
                counters.add(LinkCounters.TX_BATCHES, 1);
                break;
            case Posix.EAGAIN:
            case Posix.ENOBUFS:
                counters.add(LinkCounters.TX_FULL, packets);
                break;
            case Posix.EMSGSIZE:
                counters.add(LinkCounters.TX_TOO_LONG, packets);
                break;
            case Posix.ENETUNREACH:
            case Posix.EHOSTUNREACH:
                counters.add(LinkCounters.TX_UNREACHABLE, packets);
                break;
            case Errno.EBADF:
                counters.add(LinkCounters.TX_CLOSED, packets);
                break;
            default:
                counters.add(LinkCounters.TX_ERRORS, packets);
                break;
        }
    }
}
