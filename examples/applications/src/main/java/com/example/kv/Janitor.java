/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import io.verbs4j.Context;
import io.verbs4j.Resources;
import io.verbs4j.cm.CmListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Gives the locks free that a client held when it went. By a connection of the server's with itself: whether the
 * processor's own compare-and-swap is atomic towards the device's, not every device promises.
 */
final class Janitor implements AutoCloseable {
    /** No client's number; it is never written into a lock. */
    private static final long NUMBER = -1;

    private final Resources resources = new Resources();
    private final ByteBuffer memory;
    private final ByteBuffer locks;
    private final RemoteTable table;

    /** Listens and connects by itself, at an address of its device that nobody else is told. */
    Janitor(KvServer server) throws InterruptedException {
        Context context = server.context();
        try (CmListener listener =
                CmListener.listen(context, new InetSocketAddress(server.port().gid().toInetAddress(), 0), 1)) {
            memory = server.table();
            locks = memory.duplicate().order(ByteOrder.nativeOrder());
            FutureTask<ClientLink> accepting = new FutureTask<>(() -> server.accept(listener, NUMBER));
            new Thread(accepting, "accept janitor").start();
            table = resources.add(new RemoteTable(context, listener.address()));
            resources.add(accepting.get());
        } catch (ExecutionException e) {
            resources.close();
            throw new IllegalStateException(e.getCause());
        } catch (RuntimeException | InterruptedException e) {
            resources.close();
            throw e;
        }
    }

    /**
     * Called when nothing of the client's can reach the table any more: what it has locked is then nobody else's to
     * change.
     */
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
