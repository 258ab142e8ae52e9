/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Context;
import java.net.InetSocketAddress;

/** A peer's request for a connection. */
public interface ConnectionRequest extends AutoCloseable {
    /** What the peer says, not judged yet. */
    byte[] hello();

    InetSocketAddress peerAddress();

    /** Whether the peer has a queue pair for datagrams. */
    boolean isDatagrams();

    /** Rejects the peer, which should come again with a queue pair for datagrams. */
    void wantDatagrams();

    /** Whether the peer has come to an address of an open device of this side. */
    boolean comesTo(Context context);

    /** Rejects the peer, and tells it why. */
    void reject(String reason);

    /**
     * Accepts, and waits until the peer has confirmed.
     *
     * @throws io.verbs4j.VerbsException {@code ECONNABORTED} where the peer has given up, or has not confirmed in time;
     *     nothing is left then
     */
    PeerConnection accept(ConnectionSide side);

    /** Rejects the peer where it was neither accepted nor rejected. */
    @Override
    void close();
}
