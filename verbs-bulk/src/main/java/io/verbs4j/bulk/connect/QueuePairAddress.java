/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Gid;
import java.nio.ByteBuffer;

/**
 * The address of a queue pair, for the peer that connects to it.
 *
 * @param qpNum its number
 * @param psn its first packet sequence number; 0 for datagrams
 * @param gid GID of its port
 * @param lid LID of its port, or 0
 * @param mtu the port's path MTU, an {@link io.verbs4j.Mtu} value
 * @param infiniband whether the port is addressed by its LID
 * @param answers number of RDMA reads that it answers at a time
 * @param reads number of RDMA reads that it issues at a time
 * @param qkey Q_Key for datagrams to it
 * @param token token in the packets sent to it; 0 for type RC, which takes no datagrams
 */
record QueuePairAddress(
        int qpNum,
        int psn,
        Gid gid,
        int lid,
        int mtu,
        boolean infiniband,
        int answers,
        int reads,
        int qkey,
        long token) {
    /** Size of the encoded form in bytes. */
    static final int SIZE = 44;

    /** Maximum queue pair number and packet sequence number. */
    static final int MAX_24_BITS = 0xff_ffff;

    private static final int MAX_BYTE = 0xff;
    private static final int MAX_SHORT = 0xffff;

    /** Returns the address of a queue pair of type RC. */
    static QueuePairAddress reliable(LocalPort port, int qpNum, int psn, int answers, int reads) {
        return new QueuePairAddress(
                qpNum, psn, port.gid(), port.lid(), port.mtu(), port.infiniband(), answers, reads, 0, 0);
    }

    /** Returns the address of a datagram queue pair. */
    static QueuePairAddress datagrams(LocalPort port, int qpNum, int qkey, long token) {
        return new QueuePairAddress(qpNum, 0, port.gid(), port.lid(), port.mtu(), port.infiniband(), 0, 0, qkey, token);
    }

    /** Whether it takes datagrams. */
    boolean isDatagrams() {
        return token != 0;
    }

    /** Writes the address at the position. */
    void encode(ByteBuffer to) {
        to.putInt(qpNum)
                .putInt(psn)
                .put(gid.toBytes())
                .putShort((short) lid)
                .put((byte) mtu)
                .put((byte) (infiniband ? 1 : 0))
                .put((byte) answers)
                .put((byte) reads)
                .putShort((short) 0)
                .putInt(qkey)
                .putLong(token);
    }

    /** Reads an address at the position, without checking its values. */
    static QueuePairAddress decode(ByteBuffer from) {
        int qpNum = from.getInt();
        int psn = from.getInt();
        byte[] gid = new byte[Gid.LENGTH];
        from.get(gid);
        int lid = from.getShort() & MAX_SHORT;
        int mtu = from.get();
        boolean infiniband = from.get() != 0;
        int answers = from.get() & MAX_BYTE;
        int reads = from.get() & MAX_BYTE;
        from.getShort();
        return new QueuePairAddress(
                qpNum, psn, Gid.of(gid), lid, mtu, infiniband, answers, reads, from.getInt(), from.getLong());
    }
}
