/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import java.nio.ByteBuffer;

/** A complete copy of a packet that a scripted peer has received. */
public final class Received {
    public final Packet packet = new Packet();
    public final byte[] payload;

    public Received(Packet from) {
        ByteBuffer copy = ByteBuffer.allocateDirect(from.length());
        copy.put(0, from.buffer(), from.offset(), from.length());
        packet.parse(copy, 0, from.length());
        payload = new byte[from.payloadLength()];
        from.buffer().get(from.payloadOffset(), payload);
    }

    public int opcode() {
        return packet.opcode();
    }

    public int psn() {
        return packet.psn();
    }

    @Override
    public String toString() {
        return Opcode.name(opcode()) + " psn " + psn() + (packet.ackReq() ? " ack-req" : "") + " " + payload.length
                + " bytes"
                + (Opcode.hasAeth(opcode()) ? " syndrome 0x" + Integer.toHexString(packet.aethSyndrome()) : "");
    }
}
