/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Context;
import java.net.InetSocketAddress;

/** A peer's request for a connection. */
public interface ConnectionRequest extends AutoCloseable {
    /** The peer's hello, not validated yet. */
    byte[] hello();

    InetSocketAddress peerAddress();

    /** Whether the peer has a datagram queue pair. */
    boolean isDatagrams();

    /** Rejects the peer, which should connect again with a datagram queue pair. */
    void wantDatagrams();

    /** Whether the peer connected to an address of this open device. */
    boolean comesTo(Context context);

    /** Rejects the peer and sends it the reason. */
    void reject(String reason);

    /**
     * Accepts the connection and waits for the peer's confirmation.
     *
     * @throws io.verbs4j.VerbsException {@code ECONNABORTED} if the peer has given up or has not confirmed in time;
     *     nothing is left to close then
     */
    PeerConnection accept(ConnectionSide side);

    /** Rejects the peer unless it was accepted or rejected. */
    @Override
    void close();
}
