/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.Gid;
import io.verbs4j.Mtu;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.provider.rxe.attack.Intruder;
import io.verbs4j.provider.rxe.packet.ScriptedPeer.Headers;
import io.verbs4j.provider.rxe.wire.Deth;
import io.verbs4j.provider.rxe.wire.Opcode;
import java.nio.ByteBuffer;

/** Requests connections (CM REQ) with plain packets from an address of this machine, and never confirms one. */
final class ForgedRequest implements AutoCloseable {
    private static final int GSI_QPN = 1;
    private static final int LENGTH = 256;
    private static final int DATA = 24;
    private static final int HEADER = 0x0107_0203; // version, class, class version, method
    private static final int PRIVATE_DATA = DATA + 140;
    private static final int IPV4 = 0x40;
    private static final Headers TO_MANAGEMENT = (b, at) -> Deth.write(b, at, Deth.GSI_QKEY, GSI_QPN);

    private final Intruder intruder;
    private final ByteBuffer mad = ByteBuffer.allocate(LENGTH);
    private int number;

    ForgedRequest(Gid from, Gid to, int port) {
        intruder = new Intruder(from, to, GSI_QPN);
        mad.putInt(0, HEADER)
                .putShort(16, (short) 0x10) // REQ
                .putLong(DATA + 8, (long) PortSpace.TCP << 16 | port)
                .putLong(DATA + 16, from.interfaceId()) // node GUID
                .put(DATA + 35, (byte) 1)
                .put(DATA + 39, (byte) 1)
                .put(DATA + 43, (byte) (20 << 3))
                .put(DATA + 47, (byte) (20 << 3 | 7))
                .putShort(DATA + 48, (short) 0xffff)
                .put(DATA + 50, (byte) (Mtu.MTU_1024 << 4 | 7))
                .put(DATA + 51, (byte) (15 << 4))
                .putLong(DATA + 56, from.subnetPrefix())
                .putLong(DATA + 64, from.interfaceId())
                .putLong(DATA + 72, to.subnetPrefix())
                .putLong(DATA + 80, to.interfaceId())
                .put(DATA + 93, (byte) 64)
                .put(DATA + 95, (byte) (14 << 3))
                .put(PRIVATE_DATA + 1, (byte) IPV4)
                .putShort(PRIVATE_DATA + 2, (short) 9)
                .putInt(PRIVATE_DATA + 16, (int) from.interfaceId())
                .putInt(PRIVATE_DATA + 32, (int) to.interfaceId());
    }

    /** Requests another connection. */
    void send() {
        number++;
        mad.putLong(8, number)
                .putInt(DATA, number)
                .putInt(DATA + 32, number << 8 | mad.get(DATA + 35)) // queue pair number
                .putInt(DATA + 44, number << 8 | mad.get(DATA + 47) & 0xff); // first PSN
        intruder.send(Opcode.UD_SEND_ONLY, number, mad.array(), TO_MANAGEMENT);
    }

    @Override
    public void close() {
        intruder.close();
    }
}
