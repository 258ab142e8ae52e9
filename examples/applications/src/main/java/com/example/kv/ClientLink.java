/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import io.verbs4j.CompletionQueue;
import io.verbs4j.QueuePair;
import io.verbs4j.Resources;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmConnection;
import java.util.concurrent.TimeUnit;

/** A client as the server sees it. Its thread waits in {@link #awaitEnd}. */
final class ClientLink implements AutoCloseable {
    /** A client of another machine that says nothing for so long is taken to be gone. */
    private static final long SILENCE_SECONDS = 10;

    private final Resources resources = new Resources();
    private final CmConnection connection;

    /** Takes both over. */
    ClientLink(CompletionQueue sends, CmConnection connection) {
        resources.add(sends);
        this.connection = resources.add(connection);
    }

    QueuePair qp() {
        return connection.queuePair();
    }

    /** Returns when the client has disconnected, or is gone without a word. */
    void awaitEnd() {
        connection.keepAlive(SILENCE_SECONDS, TimeUnit.SECONDS);
        while (!connection.awaitDisconnected(1, TimeUnit.DAYS)) {
            // goes on
        }
    }

    /** Ends the client from the server's side: its thread sees the end of the connection, and does the rest. */
    void drop() {
        try {
            connection.id().disconnect();
        } catch (VerbsException e) {
            System.err.println("a client is gone already: " + e.getMessage());
        }
    }

    /** From here on nothing of the client's reaches the table. */
    @Override
    public void close() {
        resources.close();
    }
}
