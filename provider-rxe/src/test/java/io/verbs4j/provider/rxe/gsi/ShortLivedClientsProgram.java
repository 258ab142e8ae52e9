/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.AccessFlags;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Clients of an {@link AcceptingServerProgram}, each with its own device and address: a message there and one back, if
 * there is a ring. As a program it is many of them, which end in one of several ways.
 *
 * <p>Arguments: address and port of the server, bytes of a message, number of clients, which {@link End}, and
 * nanoseconds between two clients.
 */
final class ShortLivedClientsProgram {
    /** How the clients of a program end. */
    enum End {
        /** One after another, closed; the last one is killed. */
        CLOSED,
        /** All at the same time, with the JVM. */
        EXIT,
        /** All at the same time, killed by the parent process once it is notified. */
        KILLED,
        /** While connecting. */
        ASKING
    }

    private ShortLivedClientsProgram() {}

    /** A connected client. */
    static final class Client implements AutoCloseable {
        private static final int RECEIVED = 2;

        private final InetSocketAddress server;
        private final int bytes;
        private final Party party = new Party(TestContext.open(LinkOptions.defaults()));
        private final ByteBuffer memory;
        private final MemoryRegion mr;
        private final CmConnection connection;

        Client(InetSocketAddress server, int bytes) {
            this(server, bytes, () -> {});
        }

        private Client(InetSocketAddress server, int bytes, Runnable asking) {
            this.server = server;
            this.bytes = bytes;
            memory = ByteBuffer.allocateDirect(2 * bytes);
            mr = party.pd.regMr(memory, AccessFlags.LOCAL_WRITE);
            connection = CmConnection.connect(
                    party.pd,
                    server,
                    party.attr(),
                    ConnParam.DEFAULT,
                    qp -> prepare(qp, asking),
                    Patience.SECONDS,
                    TimeUnit.SECONDS);
        }

        private void prepare(QueuePair qp, Runnable asking) {
            int error =
                    qp.postRecv(new RecvWorkRequest().wrId(RECEIVED).sgList(ScatterGatherElement.of(mr, bytes, bytes)));
            if (error != 0) {
                throw new AssertionError(error);
            }
            asking.run();
        }

        void awaitRing() {
            awaitRing(link(), Gid.of(server.getAddress()));
        }

        /** Waits for a ring to this side; returns it. */
        Object awaitRingFrom(Link other) {
            return awaitRing(other, link().localGid());
        }

        private Link link() {
            return ((TestContext) party.context).port().openLinks().get(0);
        }

        private static Object awaitRing(Link from, Gid to) {
            long end = System.nanoTime() + Patience.NANOS;
            for (int i = 0; from.reach(to) == null || from.reach(to).ring() == null; i++) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("no ring was established");
                }
                Patience.pause(i);
            }
            return from.reach(to).ring();
        }

        void send(int value) {
            memory.put(0, (byte) value);
            int error = connection
                    .queuePair()
                    .postSend(new SendWorkRequest()
                            .wrId(1)
                            .opcode(WrOpcode.SEND)
                            .sendFlags(SendFlags.SIGNALED)
                            .sgList(ScatterGatherElement.of(mr, 0, bytes)));
            if (error != 0) {
                throw new AssertionError(error);
            }
        }

        void receive(int value) {
            if (party.next() + party.next() != 1 + RECEIVED || memory.get(bytes) != (byte) (value + 1)) {
                throw new AssertionError("unexpected answer");
            }
        }

        @Override
        public void close() {
            connection.close();
            mr.close();
            party.close();
        }
    }

    /** Connects many clients, each of which has received a reply. */
    static List<Client> connect(InetSocketAddress server, int bytes, int count) {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(new Client(server, bytes));
        }
        clients.forEach(Client::awaitRing);
        for (int i = 0; i < count; i++) {
            clients.get(i).send(i);
        }
        for (int i = 0; i < count; i++) {
            clients.get(i).receive(i);
        }
        return clients;
    }

    public static void main(String[] args) throws Exception {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getByName(args[0]), Integer.parseInt(args[1]));
        int bytes = Integer.parseInt(args[2]);
        int count = Integer.parseInt(args[3]);
        End end = End.valueOf(args[4]);
        if (end == End.CLOSED) {
            closeEach(server, bytes, count, Long.parseLong(args[5]));
        } else if (end == End.ASKING) {
            askAtOnce(server, bytes, count);
        } else {
            connect(server, bytes, count);
        }
        System.out.println("done");
        System.out.flush();
        if (end == End.EXIT) {
            System.exit(0);
        } else if (end == End.KILLED) {
            new CountDownLatch(1).await();
        }
        Runtime.getRuntime().halt(0);
    }

    private static void closeEach(InetSocketAddress server, int bytes, int count, long pace) throws Exception {
        long begun = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long early = begun + i * pace - System.nanoTime();
            if (early > 0) {
                TimeUnit.NANOSECONDS.sleep(early);
            }
            Client client = new Client(server, bytes);
            client.awaitRing();
            client.send(i);
            client.receive(i);
            if (i < count - 1) {
                client.close();
            }
        }
    }

    /** Returns when all are about to request a connection. */
    private static void askAtOnce(InetSocketAddress server, int bytes, int count) throws InterruptedException {
        CountDownLatch asking = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> ask(server, bytes, asking));
            thread.setDaemon(true);
            thread.start();
        }
        asking.await();
    }

    private static void ask(InetSocketAddress server, int bytes, CountDownLatch asking) {
        new Client(server, bytes, asking::countDown);
    }
}
