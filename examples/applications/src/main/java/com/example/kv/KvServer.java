/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import com.example.rdma.ActivePort;
import com.example.rdma.PeerAddress;
import com.example.rdma.RcConnection;
import com.example.rdma.Resources;
import com.example.rdma.WaitingQueue;
import io.verbs4j.AccessFlags;
import io.verbs4j.AtomicCap;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

    private final Resources resources = new Resources();
    private final Map<Long, ClientLink> clients = new ConcurrentHashMap<>();
    private final Map<Thread, Socket> sockets = new ConcurrentHashMap<>();
    private final AtomicLong lastNumber = new AtomicLong();

    private final ActivePort port;
    private final ProtectionDomain pd;
    private final ByteBuffer table;
    private final MemoryRegion region;
    private final Receives receives;
    private final WaitingQueue queue;
    private final ServerSocket serverSocket;
    private final Watcher watcher;
    private final EventLoop events;
    private final Janitor janitor;
    private final Thread acceptor;

    /**
     * Opens the store.
     *
     * @param tcpPort where clients call; 0 for any
     */
    public KvServer(int tcpPort) throws IOException {
        try {
            Context context = resources.add(Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT));
            if (context.queryDevice().atomicCap() == AtomicCap.NONE) {
                throw new IOException(context.device() + " has no compare-and-swap, which the locks need");
            }
            port = ActivePort.of(context);
            pd = resources.add(context.allocPd());
            table = ByteBuffer.allocateDirect(Layout.TABLE_SIZE + Long.BYTES)
                    .alignedSlice(Long.BYTES);
            region = resources.add(pd.regMr(table, AccessFlags.LOCAL_WRITE | CLIENT_ACCESS));
            queue = resources.add(new WaitingQueue(context, Receives.MOST));
            receives = resources.add(new Receives(pd));
            janitor = resources.add(new Janitor(this, context));
            watcher = new Watcher(queue, receives, table);
            events = new EventLoop(context, receives, clients);
            serverSocket = resources.add(new ServerSocket(tcpPort));
        } catch (RuntimeException | IOException e) {
            resources.close();
            throw e;
        }
        watcher.start();
        events.start();
        acceptor = new Thread(this::accept, "accept");
        acceptor.start();
    }

    /** Where clients call. */
    public int tcpPort() {
        return serverSocket.getLocalPort();
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
        try {
            while (true) {
                Socket socket = serverSocket.accept();
                Thread thread = new Thread(() -> serve(socket), "client");
                sockets.put(thread, socket);
                thread.start();
            }
        } catch (IOException e) {
            // closed: no more clients
        }
    }

    /** A client, from its first word to its end. */
    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            serve(socket, in, Handshake.receive(in));
        } catch (IOException | RuntimeException e) {
            System.err.println("a client's connection ended: " + e.getMessage());
        } finally {
            sockets.remove(Thread.currentThread());
        }
    }

    private void serve(Socket socket, DataInputStream in, PeerAddress peer) throws IOException {
        long number = lastNumber.incrementAndGet();
        RcConnection connection = newConnection();
        try {
            connection.connect(peer);
            clients.put(number, new ClientLink(number, socket, connection));
            welcome(connection, number).send(new DataOutputStream(socket.getOutputStream()));
            in.read(); // the client says nothing more: this ends when the client does
        } finally {
            watcher.drain(); // what the client has put is counted: its completions go with the queue pair
            connection.close(); // from here on nothing of the client's reaches the table
            janitor.release(number);
            clients.remove(number);
        }
    }

    /** The server's end of a connection, not connected. */
    RcConnection newConnection() {
        QpInitAttr attr = new QpInitAttr()
                .sendCq(queue.cq())
                .recvCq(queue.cq())
                .srq(receives.srq())
                .cap(new QpCap().maxSendWr(1).maxSendSge(1));
        return new RcConnection(pd, port, attr, CLIENT_ACCESS);
    }

    Handshake.Welcome welcome(RcConnection connection, long number) {
        return new Handshake.Welcome(connection.address(), region.addr(), region.rkey(), number);
    }

    ActivePort port() {
        return port;
    }

    ByteBuffer table() {
        return table;
    }

    /**
     * Ends in this order: nobody new comes in, those who are in go, the threads that look on have seen the last of them, and then
     * go the objects, children before parents.
     */
    @Override
    public void close() {
        try {
            serverSocket.close();
            acceptor.join();
            for (Map.Entry<Thread, Socket> client : sockets.entrySet()) {
                client.getValue().close(); // its thread sees the end, as if the client had gone
                client.getKey().join();
            }
            watcher.close();
            events.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while closing", e);
        }
        resources.close();
    }
}
