/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.loader;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Connections by address of a class loader with itself, and a query for a datagram service. */
final class Connections {
    private static final int SECONDS = 60;

    private Connections() {}

    static void use(Context context, ProtectionDomain pd, CompletionQueue cq) {
        try {
            connect(context, pd, cq);
            ask(context);
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static InetSocketAddress localhost(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static void connect(Context context, ProtectionDomain pd, CompletionQueue cq)
            throws InterruptedException, ExecutionException {
        QpInitAttr attr = new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(4).maxRecvWr(4).maxSendSge(1).maxRecvSge(1));
        try (CmListener listener = CmListener.listen(context, localhost(0), 4)) {
            CompletableFuture<CmConnection> coming = CmConnection.connectAsync(
                    pd,
                    localhost(listener.address().getPort()),
                    attr,
                    ConnParam.DEFAULT,
                    qp -> {},
                    SECONDS,
                    TimeUnit.SECONDS,
                    task -> new Thread(task).start());
            try (CmConnection there = listener.accept(pd, attr, SECONDS, TimeUnit.SECONDS);
                    CmConnection here = coming.get()) {
                here.id().disconnect();
                there.awaitDisconnected(SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private static void ask(Context context) {
        try (EventChannel channel = EventChannel.create()) {
            CmId listener = channel.createId(context, PortSpace.UDP);
            listener.bind(localhost(0));
            listener.listen(4);
            CmId asker = channel.createId(context, PortSpace.UDP);
            asker.resolveAddress(null, listener.localAddress(), SECONDS, TimeUnit.SECONDS);
            for (boolean answered = false; !answered; ) {
                CmEvent event = channel.getEvent(SECONDS, TimeUnit.SECONDS);
                switch (event.type()) {
                    case CmEventType.ADDR_RESOLVED -> asker.resolveRoute(SECONDS, TimeUnit.SECONDS);
                    case CmEventType.ROUTE_RESOLVED -> asker.connect(ConnParam.DEFAULT);
                    case CmEventType.CONNECT_REQUEST -> event.id().accept(ConnParam.DEFAULT.withQpNum(7));
                    case CmEventType.ESTABLISHED -> answered = true;
                    default -> throw new IllegalStateException(event.toString());
                }
            }
        }
    }
}
