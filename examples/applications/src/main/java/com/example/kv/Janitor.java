/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import com.example.rdma.RcConnection;
import com.example.rdma.Resources;
import io.verbs4j.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Gives the locks free that a client held when it went. By a connection of the server's with itself: whether the processor's
 * own compare-and-swap is atomic towards the device's, not every device promises.
 */
final class Janitor implements AutoCloseable {
    /** No client's number; it is never written into a lock. */
    private static final long NUMBER = -1;

    private final Resources resources = new Resources();
    private final ByteBuffer memory;
    private final ByteBuffer locks;
    private final RemoteTable table;

    Janitor(KvServer server, Context context) {
        try {
            memory = server.table();
            locks = memory.duplicate().order(ByteOrder.nativeOrder());
            table = resources.add(new RemoteTable(context, server.port()));
            RcConnection ours = resources.add(server.newConnection());
            ours.connect(table.address());
            Handshake.Welcome welcome = server.welcome(ours, NUMBER);
            table.attach(welcome.server(), welcome.address(), welcome.key(), NUMBER);
        } catch (RuntimeException e) {
            resources.close();
            throw e;
        }
    }

    /** Called when nothing of the client's can reach the table any more: what it has locked is then nobody else's to change. */
    synchronized void release(long client) throws IOException {
        for (int bucket = 0; bucket < Layout.BUCKETS; bucket++) {
            if (locks.getLong(Layout.lockInTable(bucket)) == client) {
                for (int slot = 0; slot < Layout.SLOTS; slot++) {
                    int offset = bucket * Layout.BUCKET_SIZE + Layout.slotInBucket(slot);
                    if (Slot.read(memory, offset).state() == Slot.State.TORN) {
                        Slot.clear(memory, offset); // half a value; else nobody could read the bucket any more
                    }
                }
                table.compareAndSwap(bucket, client, Layout.FREE);
            }
        }
    }

    @Override
    public void close() {
        resources.close();
    }
}
