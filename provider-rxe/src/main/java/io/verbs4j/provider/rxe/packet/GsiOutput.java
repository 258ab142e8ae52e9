/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.link.TxBatch;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Deth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.PsnMath;
import java.nio.ByteBuffer;

/**
 * Sends management packets from queue pair 1 of a port to other queue pairs 1. They have the traffic class of the
 * socket, like all packets of an embedded device.
 */
public final class GsiOutput {
    private final UdOutputs outputs;
    private int psn;

    /** Opens the links of a port. That of index 0 must open; another address may be in use by another process. */
    public GsiOutput(PacketHost port) {
        outputs = new UdOutputs(port);
    }

    /** Returns whether packets can be sent from an address. */
    public boolean has(Gid source) {
        return outputs.has(source);
    }

    /** Sends a packet, all of a buffer from index 0. A packet that can't be sent is lost. */
    public synchronized void send(Gid source, Gid destination, ByteBuffer mad) {
        TxBatch batch = outputs.batch(source);
        if (batch == null) {
            return;
        }
        batch.byNetwork();
        int headers = Opcode.headerLength(Opcode.UD_SEND_ONLY);
        int length = headers + Dispatcher.MAD_LENGTH;
        int at = batch.begin(destination.subnetPrefix(), destination.interfaceId(), length);
        ByteBuffer to = batch.buffer();
        Bth.write(to, at, Opcode.UD_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, Dispatcher.GSI_QPN, false, psn);
        Deth.write(to, at + Bth.LENGTH, Deth.GSI_QKEY, Dispatcher.GSI_QPN);
        to.put(at + headers, mad, 0, Dispatcher.MAD_LENGTH);
        batch.end(length);
        psn = PsnMath.next(psn);
        outputs.flush();
    }
}
