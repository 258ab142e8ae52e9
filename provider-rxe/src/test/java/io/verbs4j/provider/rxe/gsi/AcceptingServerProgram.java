/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceKind;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.CmOptions;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.spi.GsiPort;
import io.verbs4j.core.Verbs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A program that does everything in one thread: accepts, replies to one message of each client, and closes ended
 * connections. It prints where it listens and how many addresses its device has; for a line of input it prints how many
 * clients it has served, and what it holds. It ends with its input.
 */
final class AcceptingServerProgram {
    static final int BACKLOG = 64;
    private static final int PLACES = 128;

    private static final AtomicInteger SERVED = new AtomicInteger();
    private static volatile boolean ends;

    private final Party party;
    private final int bytes;
    private final ByteBuffer memory;
    private final MemoryRegion mr;
    private final WorkCompletion[] wc = {new WorkCompletion()};

    /** By the numbers of their queue pairs. */
    private final Map<Integer, CmConnection> connections = new HashMap<>();

    /** Positions of messages that have no reply yet, by queue pair. */
    private final Map<Integer, Integer> messages = new HashMap<>();

    private int clients;

    private AcceptingServerProgram(Party party, int bytes) {
        this.party = party;
        this.bytes = bytes;
        memory = ByteBuffer.allocateDirect(PLACES * bytes);
        mr = party.pd.regMr(memory, AccessFlags.LOCAL_WRITE);
    }

    /** Takes the handshake time in milliseconds and the message length in bytes. */
    public static void main(String[] args) throws Exception {
        CmOptions options = CmOptions.DEFAULT.withHandshakeTimeout(Long.parseLong(args[0]), TimeUnit.MILLISECONDS);
        Party party = new Party(Verbs.open(
                Verbs.devices().stream()
                        .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                        .findFirst()
                        .orElseThrow(),
                VerbsLevel.CURRENT));
        CmListener listener = CmListener.listen(party.context, new InetSocketAddress(0), BACKLOG, options);
        int bytes = Integer.parseInt(args[1]);
        Thread accepting = new Thread(() -> serve(party, listener, bytes), "accepting");
        accepting.start();
        System.out.println(party.context.queryGid(1, 0).toInetAddress().getHostAddress() + " "
                + listener.address().getPort() + " "
                + party.context.vendor(GsiPort.class).gids().size());
        answer();
        ends = true;
        accepting.join();
        listener.close();
        party.close();
    }

    private static void answer() throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (in.readLine() != null) {
            System.out.println(SERVED.get());
            System.out.println(Figures.now());
        }
    }

    private static void serve(Party party, CmListener listener, int bytes) {
        AcceptingServerProgram server = new AcceptingServerProgram(party, bytes);
        QpInitAttr attr = party.attr();
        Consumer<QueuePair> prepare = server::prepare;
        try {
            while (!ends) {
                CmConnection c = listener.accept(party.pd, attr, ConnParam.DEFAULT, prepare, 1, TimeUnit.MILLISECONDS);
                if (c != null) {
                    server.connections.put(c.queuePair().qpNum(), c);
                }
                server.answerMessages();
                server.closeEnded();
            }
            server.mr.close();
        } catch (Throwable e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    /** Posts a receive into memory of this client only. */
    private void prepare(QueuePair qp) {
        int at = clients++ % PLACES * bytes;
        int error = qp.postRecv(new RecvWorkRequest().wrId(at).sgList(ScatterGatherElement.of(mr, at, bytes)));
        if (error != 0) {
            throw new AssertionError(error);
        }
    }

    private void answerMessages() {
        while (party.cq.poll(1, wc) == 1) {
            if (wc[0].status() == WcStatus.SUCCESS && wc[0].opcode() == WcOpcode.RECV) {
                messages.put(wc[0].qpNum(), (int) wc[0].wrId()); // possibly of one that is not accepted yet
            }
        }
        for (Iterator<Map.Entry<Integer, Integer>> i = messages.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<Integer, Integer> message = i.next();
            CmConnection c = connections.get(message.getKey());
            if (c != null) {
                i.remove();
                int at = message.getValue();
                memory.put(at, (byte) (memory.get(at) + 1));
                c.queuePair()
                        .postSend(new SendWorkRequest()
                                .opcode(WrOpcode.SEND)
                                .sendFlags(SendFlags.SIGNALED)
                                .sgList(ScatterGatherElement.of(mr, at, bytes)));
            }
        }
    }

    private void closeEnded() {
        for (Iterator<CmConnection> i = connections.values().iterator(); i.hasNext(); ) {
            CmConnection c = i.next();
            if (c.awaitDisconnected(0, TimeUnit.SECONDS)) {
                i.remove();
                messages.remove(c.queuePair().qpNum());
                c.close();
                SERVED.incrementAndGet();
            }
        }
    }
}
