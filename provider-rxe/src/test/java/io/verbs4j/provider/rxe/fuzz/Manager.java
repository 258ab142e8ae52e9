/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.fuzz;

import io.verbs4j.provider.rxe.packet.ManagementPackets;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Deth;
import io.verbs4j.provider.rxe.wire.Packet;

/** Replaces a connection manager and checks what is passed to it. verbs-cm tests the handling of messages. */
final class Manager implements ManagementPackets {
    private static final int SHORTEST = 232;
    private static final int LONGEST = 256;
    private static final int PARTITION = 0x7fff;

    /** How many there were. */
    long packets;

    private String wrong;

    @Override
    public void onPacket(Packet p) {
        packets++;
        int length = p.payloadLength();
        if (length < SHORTEST
                || length > LONGEST
                || p.qkey() != Deth.GSI_QKEY
                || (p.pkey() & PARTITION) != (Bth.DEFAULT_PKEY & PARTITION)) {
            wrong = length + " bytes, Q_Key " + p.qkey() + ", P_Key " + p.pkey();
        }
    }

    @Override
    public void communicating(int qpNum) {
        // the queue pairs of the range have another host
    }

    /** Fails if there was a message that a device must not pass on. */
    void check() {
        if (wrong != null) {
            throw new AssertionError("the connection manager received a packet of " + wrong);
        }
    }
}
