/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Gid;
import java.nio.ByteBuffer;

/**
 * Where a queue pair is, for the peer that connects one with it.
 *
 * @param qpNum its number
 * @param psn the packet sequence number that it sends first; 0 for datagrams
 * @param gid GID of its port
 * @param lid LID of its port, 0 where there is none
 * @param mtu the port's path MTU, an {@link io.verbs4j.Mtu} value
 * @param infiniband whether the port is reached by its LID
 * @param answers RDMA reads that it answers at a time
 * @param reads RDMA reads that it has under way at a time
 * @param qkey what datagrams to it need
 * @param token what packets to it carry; 0 where it is of type RC, and takes no datagrams
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
    /** Bytes of its encoded form. */
    static final int SIZE = 44;

    /** Largest number of a queue pair, and packet sequence number. */
    static final int MAX_24_BITS = 0xff_ffff;

    private static final int MAX_BYTE = 0xff;
    private static final int MAX_SHORT = 0xffff;

    /** Of a queue pair of type RC. */
    static QueuePairAddress reliable(LocalPort port, int qpNum, int psn, int answers, int reads) {
        return new QueuePairAddress(
                qpNum, psn, port.gid(), port.lid(), port.mtu(), port.infiniband(), answers, reads, 0, 0);
    }

    /** Of a queue pair for datagrams. */
    static QueuePairAddress datagrams(LocalPort port, int qpNum, int qkey, long token) {
        return new QueuePairAddress(qpNum, 0, port.gid(), port.lid(), port.mtu(), port.infiniband(), 0, 0, qkey, token);
    }

    /** Whether it takes datagrams. */
    boolean isDatagrams() {
        return token != 0;
    }

    /** Writes it, at the position. */
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

    /** Reads one, at the position, without a check of its values. */
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
