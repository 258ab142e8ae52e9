/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import com.example.rdma.ActivePort;
import io.verbs4j.AccessFlags;
import io.verbs4j.AtomicCap;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.Resources;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WaitingQueue;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.core.Verbs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The server of a key-value store: it owns the table, lets clients in, and looks on. What it has threads for:
 *
 * <ul>
 *   <li>one that accepts clients, and one for each client, which waits for its end;
 *   <li>one that waits for completions: {@link Watcher};
 *   <li>one that waits for asynchronous events: {@link EventLoop}.
 * </ul>
 */
public final class KvServer implements AutoCloseable {
    private static final int CLIENT_ACCESS =
            AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    /** Clients that may wait to be let in. */
    private static final int BACKLOG = 64;

    private final Resources resources = new Resources();
    private final Map<Long, ClientLink> clients = new ConcurrentHashMap<>();
    private final Set<Thread> serving = ConcurrentHashMap.newKeySet();
    private final AtomicLong lastNumber = new AtomicLong();

    private final Context context;
    private final ActivePort port;
    private final ProtectionDomain pd;
    private final ByteBuffer table;
    private final MemoryRegion region;
    private final Receives receives;
    private final WaitingQueue queue;
    private final CmListener listener;
    private final Watcher watcher;
    private final EventLoop events;
    private final Janitor janitor;
    private final Thread acceptor;
    private volatile boolean closing;

    /**
     * Opens the store.
     *
     * @param port where clients call; 0 for any
     */
    public KvServer(int port) throws IOException, InterruptedException {
        try {
            Context context = resources.add(Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT));
            if (context.queryDevice().atomicCap() == AtomicCap.NONE) {
                throw new IOException(context.device() + " has no compare-and-swap, which the locks need");
            }
            this.context = context;
            this.port = ActivePort.of(context);
            pd = resources.add(context.allocPd());
            table = ByteBuffer.allocateDirect(Layout.TABLE_SIZE + Long.BYTES)
                    .alignedSlice(Long.BYTES);
            region = resources.add(pd.regMr(table, AccessFlags.LOCAL_WRITE | CLIENT_ACCESS));
            queue = resources.add(new WaitingQueue(context, Receives.MOST));
            receives = resources.add(new Receives(pd));
            janitor = resources.add(new Janitor(this));
            watcher = new Watcher(queue, receives, table);
            events = new EventLoop(context, receives, clients);
            listener = resources.add(CmListener.listen(context, new InetSocketAddress(port), BACKLOG));
        } catch (RuntimeException | IOException | InterruptedException e) {
            resources.close();
            throw e;
        }
        watcher.start();
        events.start();
        acceptor = new Thread(this::accept, "accept");
        acceptor.start();
    }

    /** Where clients call. */
    public int portNumber() {
        return listener.address().getPort();
    }

    /** How many puts there were, by what the clients' immediate numbers told. */
    public long puts() {
        return watcher.puts();
    }

    /** How many clients there are. */
    public int clients() {
        return clients.size();
    }

    private void accept() {
        while (true) {
            long number = lastNumber.incrementAndGet();
            try {
                ClientLink client = accept(listener, number);
                if (client != null) {
                    letIn(number, client);
                }
            } catch (VerbsException e) {
                if (closing || e.errno() == Errno.EINTR) {
                    return;
                }
                System.err.println("a client did not come in: " + e.getMessage());
            }
        }
    }

    /** From here on the client is served. */
    void letIn(long number, ClientLink client) {
        events.letIn(number, client);
        Thread thread = new Thread(() -> serve(number, client), "client");
        serving.add(thread);
        thread.start();
    }

    /** A client, from its first word to its end. */
    private void serve(long number, ClientLink client) {
        try {
            client.awaitEnd();
        } catch (VerbsException e) {
            if (e.errno() != Errno.EINTR) {
                throw e;
            }
            Thread.interrupted(); // the server ends: as if the client had gone
        } finally {
            watcher.drain(); // what the client has put is counted: its completions go with the queue pair
            client.close(); // from here on nothing of the client's reaches the table
            release(number);
            clients.remove(number);
            serving.remove(Thread.currentThread());
        }
    }

    private void release(long number) {
        try {
            janitor.release(number);
        } catch (IOException e) {
            System.err.println("client " + number + "'s locks stay: " + e.getMessage());
        }
    }

    /** Accepts a client, and tells it what it has to know; null where none has come. */
    ClientLink accept(CmListener at, long number) {
        CompletionQueue sends = context.createCq(1);
        CmConnection connection = null;
        try {
            QpInitAttr attr = new QpInitAttr()
                    .qpType(QpType.RC)
                    .sendCq(sends)
                    .recvCq(queue.cq())
                    .srq(receives.srq())
                    .cap(new QpCap().maxSendWr(1).maxSendSge(1));
            Welcome welcome = new Welcome(region.addr(), region.rkey(), number);
            ConnParam param = ConnParam.DEFAULT.withPrivateData(welcome.encode());
            connection = at.accept(pd, attr, param, qp -> {}, 1, TimeUnit.HOURS);
        } finally {
            if (connection == null) {
                sends.close();
            }
        }
        return connection == null ? null : new ClientLink(sends, connection);
    }

    Context context() {
        return context;
    }

    ActivePort port() {
        return port;
    }

    ByteBuffer table() {
        return table;
    }

    /**
     * Ends in this order: nobody new comes in, those who are in go, the threads that look on have seen the last of
     * them, and then go the objects, children before parents.
     */
    @Override
    public void close() {
        try {
            closing = true;
            listener.close();
            acceptor.join();
            for (Thread client : serving) {
                client.interrupt(); // it sees the end, as if the client had gone
                client.join();
            }
            watcher.close();
            events.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while closing", e);
        }
        resources.close();
    }
}
