/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Context;

/**
 * Receives events of peers and devices. Calls are made one at a time by a thread of the endpoint, never from within a
 * call of a ring, and may block. A completion may name a peer shortly before {@link #peerUp} does;
 * {@link BulkEndpoint#peer} already knows the peer then. Exceptions are logged and ignored.
 */
public interface BulkListener {
    /**
     * Called when a peer has connected to this endpoint.
     *
     * @param peer the peer
     */
    default void peerUp(BulkPeer peer) {
        // does nothing by default
    }

    /**
     * Called when a connection is lost and the transport tries to restore it, whichever side made it. Entries are still
     * accepted; they complete when the connection is restored or has ended. {@link #peerRecovered} or {@link #peerDown}
     * follows.
     *
     * @param peer the peer
     */
    default void peerRecovering(BulkPeer peer) {
        // does nothing by default
    }

    /**
     * Called when a lost connection is restored. Entries in flight continue.
     *
     * @param peer the peer; {@link BulkPeer#reconnections} counts this event
     */
    default void peerRecovered(BulkPeer peer) {
        // does nothing by default
    }

    /**
     * Called when a connection has ended and all entries for the peer have completed, whichever side made the
     * connection.
     *
     * @param peer the peer
     * @param errno the cause: 0 if one side closed the connection, otherwise an errno such as
     *     {@link io.verbs4j.Errno#ECONNRESET}
     */
    default void peerDown(BulkPeer peer, int errno) {
        // does nothing by default
    }

    /**
     * Called when a device of the endpoint is lost. The endpoint no longer uses it. Its connections are restored on
     * another device, or on the one that replaces it by {@link BulkEndpoint#replace}, which also describes when the
     * context can be closed.
     *
     * @param context the device
     */
    default void deviceLost(Context context) {
        // does nothing by default
    }
}
