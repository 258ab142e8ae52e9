/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.rdma;

import io.verbs4j.AhAttr;
import io.verbs4j.Context;
import io.verbs4j.Gid;
import io.verbs4j.PortAttr;
import io.verbs4j.PortState;

/**
 * The port that a program works with.
 *
 * @param number its number, from 1
 * @param lid its address within an InfiniBand subnet; 0 on RoCE
 * @param gidIndex which of its GIDs is used
 * @param gid that GID
 * @param mtu the largest packet that it carries, an {@link io.verbs4j.Mtu} value
 */
public record ActivePort(int number, int lid, int gidIndex, Gid gid, int mtu) {
    private static final int HOP_LIMIT = 64;

    /**
     * Finds the first active port. Which of its GIDs leads to the peers depends on the network: {@code -DgidIndex=N}.
     */
    public static ActivePort of(Context context) {
        int ports = context.queryDevice().physPortCnt();
        for (int number = 1; number <= ports; number++) {
            PortAttr port = context.queryPort(number);
            if (port.state() == PortState.ACTIVE) {
                int gidIndex = Integer.getInteger("gidIndex", 0);
                Gid gid = context.queryGid(number, gidIndex);
                return new ActivePort(number, port.lid(), gidIndex, gid, port.activeMtu());
            }
        }
        throw new IllegalStateException(context.device() + " has no active port");
    }

    /** The way to another port: on RoCE its GID leads there, within an InfiniBand subnet its LID. */
    public AhAttr pathTo(Gid peer, int peerLid) {
        AhAttr path = new AhAttr().portNum(number).dlid(peerLid).isGlobal(true);
        path.grh().dgid(peer).sgidIndex(gidIndex).hopLimit(HOP_LIMIT);
        return path;
    }
}
