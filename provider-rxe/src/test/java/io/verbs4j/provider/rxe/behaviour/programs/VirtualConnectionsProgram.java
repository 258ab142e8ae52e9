/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.program.VirtualThreads;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many virtual threads wait to be connected with, and for the end of connections, and others connect: all on one
 * carrier.
 */
public final class VirtualConnectionsProgram {
    private static final int PAIRS = 20;
    private static final long PATIENCE = 100;

    private final Context context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT);
    private final ProtectionDomain pd = context.allocPd();
    private final CompletionQueue cq = context.createCq(16);
    private final AtomicInteger ended = new AtomicInteger();

    private VirtualConnectionsProgram() {}

    public static void main(String[] args) throws Exception {
        new VirtualConnectionsProgram().run();
    }

    private void run() throws Exception {
        List<Thread> threads = new ArrayList<>();
        try (CmListener listener = CmListener.listen(context, new InetSocketAddress(0), PAIRS)) {
            int port = listener.address().getPort();
            InetSocketAddress address =
                    new InetSocketAddress(context.queryGid(1, 0).toInetAddress(), port);
            for (int i = 0; i < PAIRS; i++) {
                threads.add(start(() -> listener.accept(pd, attr(), PATIENCE, TimeUnit.SECONDS), false));
            }
            for (int i = 0; i < PAIRS; i++) {
                threads.add(start(() -> CmConnection.connect(pd, address, attr(), PATIENCE, TimeUnit.SECONDS), true));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        System.out.println(ended.get() == 2 * PAIRS ? "all were connected" : ended + " were connected");
        System.exit(0);
    }

    private QpInitAttr attr() {
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(1).maxRecvWr(1).maxSendSge(1).maxRecvSge(1));
    }

    private Thread start(Callable<CmConnection> made, boolean ends) {
        return VirtualThreads.start(() -> {
            try (CmConnection connection = made.call()) {
                if (ends || connection.awaitDisconnected(PATIENCE, TimeUnit.SECONDS)) {
                    ended.incrementAndGet();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
