/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Context;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** A way to connect queue pairs of two endpoints by an address. Any thread may use it. */
public interface Connections extends AutoCloseable {
    /**
     * Connects to an endpoint that listens. The peer's hello is not judged.
     *
     * @param nanos longest time
     * @throws ConnectionRejectedException where nobody listens, or the peer has rejected
     * @throws io.verbs4j.VerbsException {@code ETIMEDOUT}; {@code EADDRNOTAVAIL} and {@code ENETUNREACH} where the
     *     device does not lead there; {@code EINTR} where the thread is interrupted, which it stays
     */
    PeerConnection connect(ConnectionSide side, InetSocketAddress address, long nanos);

    /**
     * Listens at a device.
     *
     * @param executor its threads run the handler, and wait there for peers that have asked for a connection
     * @param handler takes requests, which it has to close
     */
    ConnectionListener listen(
            Context context, InetSocketAddress address, Executor executor, Consumer<ConnectionRequest> handler);

    /** Whether each device has a listener of its own; otherwise one serves for all devices. */
    boolean listensByDevice();

    /** Ends what runs in the background. By then connections and listeners are closed. */
    @Override
    void close();
}
