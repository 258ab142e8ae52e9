/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Context;
import io.verbs4j.EventSubscription;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.CmOptions;
import io.verbs4j.cm.CmRejectedException;
import io.verbs4j.cm.CmRequest;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.RejectReason;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Connects through a device's connection manager. The hello is the private data. */
public final class CmConnections implements Connections {
    private static final int BACKLOG = 128;

    /** Maximum number of private data bytes in an RDMA-CM rejection. */
    private static final int MAX_REASON = 148;

    @Override
    public PeerConnection connect(ConnectionSide side, InetSocketAddress address, long nanos) {
        try {
            return new Connected(CmConnection.connect(
                    side.pd(),
                    address,
                    side.attr(),
                    param(side),
                    CmOptions.DEFAULT,
                    side.prepare(),
                    nanos,
                    TimeUnit.NANOSECONDS));
        } catch (CmRejectedException e) {
            throw switch (e.rejection.reason()) {
                case RejectReason.INVALID_SERVICE_ID -> new ConnectionRejectedException(e, null);
                case RejectReason.CONSUMER_DEFINED ->
                    new ConnectionRejectedException(e, text(e.rejection.privateData()));
                default -> e; // the connection managers disagree: no endpoint was asked
            };
        }
    }

    /** Returns the reason that the remote endpoint sent; the rest of the private data is zeros. */
    private static String text(byte... data) {
        return new String(data, StandardCharsets.US_ASCII).split("\0", 2)[0].replaceAll("\\p{Cntrl}", "?");
    }

    @Override
    public ConnectionListener listen(
            Context context, InetSocketAddress address, Executor executor, Consumer<ConnectionRequest> handler) {
        CmListener listener = CmListener.listen(context, address, BACKLOG);
        return new Listening(listener, listener.subscribe(executor, request -> handler.accept(new Requested(request))));
    }

    @Override
    public boolean listensByDevice() {
        return true;
    }

    @Override
    public void close() {
        // runs nothing in the background
    }

    private static ConnParam param(ConnectionSide side) {
        return ConnParam.DEFAULT.withPrivateData(side.hello().encode());
    }

    private record Listening(CmListener listener, EventSubscription subscription) implements ConnectionListener {
        @Override
        public InetSocketAddress address() {
            return listener.address();
        }

        @Override
        public void close() {
            listener.close();
            subscription.close();
        }
    }

    private record Requested(CmRequest request) implements ConnectionRequest {
        @Override
        public byte[] hello() {
            return request.privateData();
        }

        @Override
        public InetSocketAddress peerAddress() {
            return request.peerAddress();
        }

        @Override
        public boolean isDatagrams() {
            return false;
        }

        @Override
        public void wantDatagrams() {
            reject("the device supports only datagrams; connect over TCP");
        }

        @Override
        public boolean comesTo(Context context) {
            return true; // each device has its own listener
        }

        @Override
        public void reject(String reason) {
            byte[] words = reason.getBytes(StandardCharsets.US_ASCII);
            request.reject(Arrays.copyOf(words, Math.min(words.length, MAX_REASON)));
        }

        @Override
        public PeerConnection accept(ConnectionSide side) {
            return new Connected(request.accept(side.pd(), side.attr(), param(side), side.prepare()));
        }

        @Override
        public void close() {
            request.close();
        }
    }

    private record Connected(CmConnection connection) implements PeerConnection {
        @Override
        public byte[] hello() {
            return connection.peer().privateData();
        }

        @Override
        public void onDisconnected(Runnable action) {
            connection.onDisconnected(action);
        }

        @Override
        public void close() {
            connection.drainTime(0, TimeUnit.SECONDS).close();
        }
    }
}
