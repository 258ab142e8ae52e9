/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.rpc;

import io.verbs4j.*;
import io.verbs4j.cm.*;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Remote procedure calls: requests and responses are messages of any size up to {@link #MOST} bytes. */
abstract class Rpc implements AutoCloseable {
    static final int MOST = 1 << 16;
    final Resources resources = new Resources();
    final ProtectionDomain pd;
    final ByteBuffer memory;
    final MemoryRegion region;
    final WaitingQueue queue;

    Rpc(Context context, int slots) {
        pd = resources.add(context.allocPd());
        memory = ByteBuffer.allocateDirect(slots * MOST);
        region = resources.add(pd.regMr(memory, AccessFlags.LOCAL_WRITE));
        queue = resources.add(new WaitingQueue(context, 2 * slots));
    }

    QpInitAttr reliable(int sends, int receives) {
        QpCap cap = new QpCap().maxSendWr(sends).maxSendSge(1).maxRecvWr(receives).maxRecvSge(1);
        return new QpInitAttr().qpType(QpType.RC).sendCq(queue.cq()).recvCq(queue.cq()).cap(cap);
    }

    SendWorkRequest message(int slot, byte[] data) {
        memory.put(slot * MOST, data);
        ScatterGatherElement whole = ScatterGatherElement.of(region, slot * MOST, data.length);
        return new SendWorkRequest().opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED).sgList(whole);
    }

    RecvWorkRequest receive(int slot) {
        return new RecvWorkRequest().wrId(slot).sgList(ScatterGatherElement.of(region, slot * MOST, MOST));
    }

    byte[] received(int slot, int length) {
        byte[] data = new byte[length];
        memory.get(slot * MOST, data);
        return data;
    }

    @Override
    public void close() {
        resources.close(); // the last one first: a listener, connections with their last messages, what they have used
    }

    /** Answers any number of clients. A slot of memory takes a request, and then sends the response. */
    static final class Server extends Rpc {
        private static final int SLOTS = 64;
        private static final int SENDS = 4; // to a client at a time; more responses wait
        private final Map<Integer, WaitingSends> clients = new ConcurrentHashMap<>(); // by queue pair
        private final UnaryOperator<byte[]> service;
        private final SharedReceiveQueue srq;
        private final Resources connections;
        final CmListener listener;

        Server(Context context, int port, UnaryOperator<byte[]> service) {
            super(context, SLOTS);
            this.service = service;
            srq = resources.add(pd.createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(SLOTS).maxSge(1))));
            for (int slot = 0; slot < SLOTS; slot++) {
                srq.postRecvOrThrow(receive(slot));
            }
            connections = resources.add(new Resources());
            Thread acceptor = new Thread(this::accept, "rpc accept");
            resources.add(acceptor::join);
            listener = resources.open(() -> CmListener.listen(context, new InetSocketAddress(port), 16));
            new Thread(() -> queue.run(this::handle), "rpc completions").start();
            acceptor.start();
        }

        private void accept() {
            QpInitAttr attr = reliable(SENDS, 0).srq(srq);
            Consumer<QueuePair> enter = qp -> clients.put(qp.qpNum(), new WaitingSends(qp, SLOTS));
            try {
                while (true) { // each client enters before it can send
                    CmConnection client = listener.accept(pd, attr, ConnParam.DEFAULT, enter, 1, TimeUnit.DAYS);
                    connections.add(client.beforeDestroy(() -> queue.handle(this::handle)));
                    new Thread(() -> serve(client, client.queuePair().qpNum()), "rpc client").start();
                }
            } catch (VerbsException e) {
                report(e);
            }
        }

        private void serve(CmConnection client, int number) {
            try {
                client.awaitDisconnected(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
                connections.close(client);
            } catch (VerbsException e) {
                report(e);
            }
            clients.remove(number);
        }

        private static void report(VerbsException e) {
            if (e.errno() != Errno.EBADF) { // else the server was closed
                System.err.println(e.getMessage());
            }
        }

        private void handle(WorkCompletion wc) {
            int slot = (int) wc.wrId() % SLOTS;
            WaitingSends sends = clients.get(wc.qpNum());
            boolean isRequest = wc.wrId() < SLOTS && wc.status() == WcStatus.SUCCESS && sends != null;
            byte[] response = isRequest ? service.apply(received(slot, wc.byteLen())) : null;
            if (!isRequest || sends.post(message(slot, response).wrId(SLOTS + slot)) != 0) {
                srq.postRecvOrThrow(receive(slot)); // the response is sent, or nobody waits for it
            }
            if (sends != null) {
                sends.advance();
            }
        }
    }

    /** Calls a server, one call at a time. */
    static final class Client extends Rpc {
        private final WorkCompletion[] done = {new WorkCompletion()};
        private final CmConnection connection;

        Client(Context context, InetSocketAddress server) {
            super(context, 2);
            connection = resources.open(() -> CmConnection.connect(pd, server, reliable(1, 1), 10, TimeUnit.SECONDS));
        }

        synchronized byte[] call(byte[] request) throws IOException {
            connection.queuePair().postRecvOrThrow(receive(1));
            connection.queuePair().postSendOrThrow(message(0, request).wrId(0));
            int length = 0;
            for (int left = 2; left > 0; left--) { // the request is acknowledged, the response is there
                int count = queue.await(done, 10, TimeUnit.SECONDS);
                if (count == 0 || done[0].status() != WcStatus.SUCCESS) {
                    throw new IOException(count == 0 ? "no answer in time" : WcStatus.toString(done[0].status()));
                }
                length = done[0].wrId() == 1 ? done[0].byteLen() : length;
            }
            return received(1, length);
        }
    }
}
