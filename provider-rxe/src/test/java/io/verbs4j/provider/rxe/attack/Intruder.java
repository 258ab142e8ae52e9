/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.packet.ScriptedPeer.Headers;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Opcode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** A sender of forged packets with a valid ICRC, from an ordinary socket at any address with a random port. */
public final class Intruder implements AutoCloseable {
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(8192);
    private final Icrc icrc = new Icrc();
    private final DatagramChannel channel;
    private final Gid from;
    private final int port;
    private final Gid to;
    private final int qpn;
    private int damage;

    public Intruder(Gid from, Gid to, int qpn) {
        this.from = from;
        this.to = to;
        this.qpn = qpn;
        try {
            channel = DatagramChannel.open();
            channel.bind(new InetSocketAddress(from.toInetAddress(), 0));
            port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends with a wrong ICRC from now on. */
    Intruder damaged() {
        damage = 1;
        return this;
    }

    /** Sends a packet. */
    public void send(int opcode, int psn, byte[] payload, Headers headers) {
        int header = Opcode.headerLength(opcode);
        int pad = -payload.length & 3;
        int length = header + payload.length + pad;
        buffer.clear();
        Bth.write(buffer, 0, opcode, false, false, pad, Bth.DEFAULT_PKEY, qpn, true, psn);
        buffer.put(Bth.LENGTH, new byte[header - Bth.LENGTH]);
        if (headers != null) {
            headers.write(buffer, Bth.LENGTH);
        }
        buffer.put(header, payload);
        buffer.put(header + payload.length, new byte[pad]);
        icrc.append(
                buffer,
                0,
                length,
                from.subnetPrefix(),
                from.interfaceId(),
                to.subnetPrefix(),
                to.interfaceId(),
                port,
                Link.PORT,
                0);
        buffer.putInt(length, buffer.getInt(length) ^ damage);
        try {
            buffer.limit(length + Icrc.LENGTH);
            channel.send(buffer, new InetSocketAddress(to.toInetAddress(), Link.PORT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
