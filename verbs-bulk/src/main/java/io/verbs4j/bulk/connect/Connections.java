/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Context;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** A method to connect queue pairs of two endpoints by an address. Any thread may use it. */
public interface Connections extends AutoCloseable {
    /**
     * Connects to an endpoint that listens. The peer's hello is not validated.
     *
     * @param nanos maximum time to wait
     * @throws ConnectionRejectedException if nothing listens there or the peer rejects the connection
     * @throws io.verbs4j.VerbsException {@code ETIMEDOUT}; {@code EADDRNOTAVAIL} and {@code ENETUNREACH} if the device
     *     does not lead there; {@code EINTR} if the thread is interrupted, which it stays
     */
    PeerConnection connect(ConnectionSide side, InetSocketAddress address, long nanos);

    /**
     * Listens on a device.
     *
     * @param executor runs the handler, which blocks its threads until requesting peers have confirmed
     * @param handler receives requests and must close them
     */
    ConnectionListener listen(
            Context context, InetSocketAddress address, Executor executor, Consumer<ConnectionRequest> handler);

    /** Whether each device has its own listener; otherwise one listener serves all devices. */
    boolean listensByDevice();

    /** Stops the background work. Connections and listeners must be closed already. */
    @Override
    void close();
}
