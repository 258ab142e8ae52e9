/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.DeviceKind;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.CmOptions;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.core.Verbs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A program that accepts in one thread: answers a message of each client with one, and waits for its end. It says where
 * it listens; for a line of input it says how many it has served, and what it holds. It ends with its input.
 */
final class AcceptingServer {
    static final int BACKLOG = 64;
    private static final long PATIENCE = 60;

    private static volatile int served;
    private static volatile boolean ends;

    private AcceptingServer() {}

    /** Takes the milliseconds that a handshake may take. */
    public static void main(String[] args) throws Exception {
        CmOptions options = CmOptions.DEFAULT.withHandshakeTimeout(Long.parseLong(args[0]), TimeUnit.MILLISECONDS);
        Party party = new Party(Verbs.open(
                Verbs.devices().stream()
                        .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                        .findFirst()
                        .orElseThrow(),
                VerbsLevel.CURRENT));
        CmListener listener = CmListener.listen(party.context, new InetSocketAddress(0), BACKLOG, options);
        Thread accepting = new Thread(() -> serve(party, listener), "accepting");
        accepting.start();
        System.out.println(party.context.queryGid(1, 0).toInetAddress().getHostAddress() + " "
                + listener.address().getPort());
        answer();
        ends = true;
        accepting.join();
        listener.close();
        party.close();
    }

    private static void answer() throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (in.readLine() != null) {
            System.out.println(served);
            System.out.println(Figures.now());
        }
    }

    private static void serve(Party party, CmListener listener) {
        QpInitAttr attr = party.attr();
        Consumer<QueuePair> prepare = party::receive;
        try {
            while (!ends) {
                try (CmConnection c =
                        listener.accept(party.pd, attr, ConnParam.DEFAULT, prepare, 100, TimeUnit.MILLISECONDS)) {
                    if (c != null) {
                        party.send(c.queuePair(), party.received() + 1);
                        party.completed(1);
                        c.awaitDisconnected(PATIENCE, TimeUnit.SECONDS);
                        served++;
                    }
                }
            }
        } catch (Throwable e) {
            e.printStackTrace();
            System.exit(1);
        }
    }
}
