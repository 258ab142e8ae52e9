/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Gid;
import java.nio.ByteBuffer;

/**
 * Where a queue pair is, for the peer that connects one with it.
 *
 * @param qpNum its number
 * @param psn the packet sequence number that it sends first
 * @param gid GID of its port
 * @param lid LID of its port, 0 where there is none
 * @param mtu the port's path MTU, an {@link io.verbs4j.Mtu} value
 * @param infiniband whether the port is reached by its LID
 * @param answers RDMA reads that it answers at a time
 * @param reads RDMA reads that it has under way at a time
 */
record QueuePairAddress(int qpNum, int psn, Gid gid, int lid, int mtu, boolean infiniband, int answers, int reads) {
    /** Bytes of its encoded form. */
    static final int SIZE = 32;

    /** Largest number of a queue pair, and packet sequence number. */
    static final int MAX_24_BITS = 0xff_ffff;

    private static final int MAX_BYTE = 0xff;
    private static final int MAX_SHORT = 0xffff;

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
                .putShort((short) 0);
    }

    /** Reads one, at the position, without a check of its values. */
    static QueuePairAddress decode(ByteBuffer from) {
        int qpNum = from.getInt();
        int psn = from.getInt();
        byte[] gid = new byte[Gid.LENGTH];
        from.get(gid);
        QueuePairAddress address = new QueuePairAddress(
                qpNum,
                psn,
                Gid.of(gid),
                from.getShort() & MAX_SHORT,
                from.get(),
                from.get() != 0,
                from.get() & MAX_BYTE,
                from.get() & MAX_BYTE);
        from.getShort();
        return address;
    }
}
