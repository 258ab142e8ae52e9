/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.rdma;

import io.verbs4j.Gid;
import java.nio.ByteBuffer;

/**
 * Where a queue pair can be reached: what two peers tell each other before they connect.
 *
 * @param gid its port's address
 * @param lid its port's address within an InfiniBand subnet; 0 on RoCE
 * @param qpNum its number
 * @param psn number of the first packet that it will send
 */
public record PeerAddress(Gid gid, int lid, int qpNum, int psn) {
    /** Bytes of an address on its way. */
    public static final int LENGTH = Gid.LENGTH + 3 * Integer.BYTES;

    /** The address as bytes. */
    public byte[] encode() {
        return ByteBuffer.allocate(LENGTH)
                .put(gid.toBytes())
                .putInt(lid)
                .putInt(qpNum)
                .putInt(psn)
                .array();
    }

    /** Reads an address. */
    public static PeerAddress decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte[] gid = new byte[Gid.LENGTH];
        in.get(gid);
        return new PeerAddress(Gid.of(gid), in.getInt(), in.getInt(), in.getInt());
    }
}
