/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import com.example.rdma.ActivePort;
import com.example.rdma.Resources;
import io.verbs4j.Context;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/** A client of a key-value store. Its TCP connection stays open: by its end the server learns that the client is gone. */
public final class KvClient implements AutoCloseable {
    private final Resources resources = new Resources();
    private final RemoteTable table;

    /** Connects with a server. */
    public KvClient(String host, int tcpPort) throws IOException {
        try {
            Context context = resources.add(Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT));
            table = resources.add(new RemoteTable(context, ActivePort.of(context)));
            Socket socket = resources.add(new Socket(host, tcpPort));
            Handshake.send(new DataOutputStream(socket.getOutputStream()), table.address());
            Handshake.Welcome welcome = Handshake.Welcome.receive(new DataInputStream(socket.getInputStream()));
            table.attach(welcome.server(), welcome.address(), welcome.key(), welcome.number());
        } catch (RuntimeException | IOException e) {
            resources.close();
            throw e;
        }
    }

    /** The server's table. */
    RemoteTable table() {
        return table;
    }

    @Override
    public void close() {
        resources.close();
    }
}
