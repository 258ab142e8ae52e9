/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import com.example.rdma.PeerAddress;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** What client and server tell each other over TCP before they go on by RDMA. */
final class Handshake {
    /**
     * What a client is told.
     *
     * @param server its queue pair at the server
     * @param address where the table is
     * @param key the key of the table's memory
     * @param number the client's number
     */
    record Welcome(PeerAddress server, long address, int key, long number) {
        void send(DataOutputStream out) throws IOException {
            Handshake.send(out, server);
            out.writeLong(address);
            out.writeInt(key);
            out.writeLong(number);
            out.flush();
        }

        static Welcome receive(DataInputStream in) throws IOException {
            return new Welcome(Handshake.receive(in), in.readLong(), in.readInt(), in.readLong());
        }
    }

    private Handshake() {}

    static void send(DataOutputStream out, PeerAddress address) throws IOException {
        out.write(address.encode());
        out.flush();
    }

    static PeerAddress receive(DataInputStream in) throws IOException {
        byte[] bytes = new byte[PeerAddress.LENGTH];
        in.readFully(bytes);
        return PeerAddress.decode(bytes);
    }
}
