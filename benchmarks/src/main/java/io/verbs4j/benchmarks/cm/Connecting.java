/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.cm;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.core.Verbs;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Opens and closes connections, one after another, like {@code cmpeer.c} of the guest's tests.
 *
 * <pre>
 *   serve ADDRESS PORT COUNT           ends after COUNT connections
 *   connect ADDRESS PORT COUNT...      prints the rate for each COUNT; all but the last are for warming up
 * </pre>
 */
final class Connecting implements AutoCloseable {
    private static final ConnParam PARAM =
            ConnParam.DEFAULT.withInitiatorDepth(1).withResponderResources(1);
    private static final long RESOLVE_MILLIS = 2000;

    private final Context context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT);
    private final ProtectionDomain pd = context.allocPd();
    private final CompletionQueue cq = context.createCq(16);
    private final EventChannel channel = EventChannel.create();
    private final InetSocketAddress address;

    private Connecting(InetSocketAddress address) {
        this.address = address;
    }

    /** Runs the program; see the class. */
    public static void main(String[] args) {
        InetSocketAddress address = new InetSocketAddress(args[1], Integer.parseInt(args[2]));
        try (Connecting program = new Connecting(address)) {
            if (args[0].equals("serve")) {
                program.serve(Integer.parseInt(args[3]));
                return;
            }
            for (int i = 3; i < args.length; i++) {
                program.connect(Integer.parseInt(args[i]));
            }
        }
    }

    private void createQp(CmId id) {
        QpCap cap = new QpCap().maxSendWr(1).maxRecvWr(1).maxSendSge(1).maxRecvSge(1);
        id.createQp(pd, new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq).cap(cap));
    }

    private void serve(int count) {
        CmId listener = channel.createId(context, PortSpace.TCP);
        listener.bind(address);
        listener.listen(0);
        System.out.println("listening");
        for (int left = count; left > 0; ) {
            CmEvent event = channel.getEvent();
            switch (event.type()) {
                case CmEventType.CONNECT_REQUEST -> {
                    createQp(event.id());
                    event.id().accept(PARAM);
                }
                case CmEventType.ESTABLISHED -> {
                    // the client continues
                }
                case CmEventType.DISCONNECTED -> {
                    event.id().close();
                    left--;
                }
                default -> throw new IllegalStateException(event.toString());
            }
        }
    }

    private void await(int type) {
        CmEvent event = channel.getEvent();
        if (event.type() != type) {
            throw new IllegalStateException(CmEventType.toString(type) + " was expected, not " + event);
        }
    }

    private void connect(int count) {
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            CmId id = channel.createId(context, PortSpace.TCP);
            id.resolveAddress(null, address, RESOLVE_MILLIS, TimeUnit.MILLISECONDS);
            await(CmEventType.ADDR_RESOLVED);
            id.resolveRoute(RESOLVE_MILLIS, TimeUnit.MILLISECONDS);
            await(CmEventType.ROUTE_RESOLVED);
            createQp(id);
            id.connect(PARAM);
            await(CmEventType.ESTABLISHED);
            id.disconnect();
            await(CmEventType.DISCONNECTED);
            id.close();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.println(String.format(Locale.ROOT, "%d connections, %.0f a second", count, count / seconds));
    }

    /** Closes everything. The connection manager continues until its time waits are over. */
    @Override
    public void close() {
        channel.close();
        cq.close();
        pd.close();
        context.close();
    }
}
