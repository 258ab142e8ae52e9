/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import com.example.rdma.Resources;
import io.verbs4j.CompletionQueue;
import io.verbs4j.QueuePair;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import java.util.concurrent.TimeUnit;

/** A client as the server sees it. Its thread waits in {@link #awaitEnd}. */
final class ClientLink implements AutoCloseable {
    private static final long PAUSE_SECONDS = 2;

    private final Resources resources = new Resources();
    private final WorkCompletion[] completion = {new WorkCompletion()};
    private final CompletionQueue sends;
    private final CmConnection connection;

    /** Takes both over. */
    ClientLink(CompletionQueue sends, CmConnection connection) {
        this.sends = resources.add(sends);
        this.connection = resources.add(connection);
    }

    QueuePair qp() {
        return connection.queuePair();
    }

    /**
     * Returns when the client has disconnected, or is gone without a word: a reliable connection has no end-of-file, and who never sends never learns that
     * nobody is there. So it is asked now and then.
     */
    void awaitEnd() throws InterruptedException {
        while (!connection.awaitDisconnected(PAUSE_SECONDS, TimeUnit.SECONDS) && isThere()) {
            // goes on
        }
    }

    /** Writes nothing to the client: needs no memory there, and its device answers all the same. */
    private boolean isThere() throws InterruptedException {
        int errno = qp().postSend(
                        new SendWorkRequest().opcode(WrOpcode.RDMA_WRITE).sendFlags(SendFlags.SIGNALED));
        int count = errno == 0 ? 0 : -errno;
        while (count == 0) {
            Thread.sleep(1);
            count = sends.poll(1, completion);
        }
        return count > 0 && completion[0].status() == WcStatus.SUCCESS;
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
