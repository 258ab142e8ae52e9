/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Context;

/**
 * Receives peers that connect and disconnect. Calls come one after the other from a thread of the endpoint, never from
 * within a call of a ring, and may block. A completion may name a peer a moment before {@link #peerUp} does: {@link
 * BulkEndpoint#peer} knows it by then. What a call throws is logged and ignored.
 */
public interface BulkListener {
    /**
     * A peer has connected to this endpoint.
     *
     * @param peer the peer
     */
    default void peerUp(BulkPeer peer) {
        // for those who do not want to know
    }

    /**
     * A connection is lost, whoever made it, and the transport tries to make it again. Entries go on to be taken; they
     * complete when it is there again, or when it has ended. {@link #peerRecovered} or {@link #peerDown} follows.
     *
     * @param peer the peer
     */
    default void peerRecovering(BulkPeer peer) {
        // for those who do not want to know
    }

    /**
     * A lost connection is there again, and what was under way goes on.
     *
     * @param peer the peer; {@link BulkPeer#reconnections} counts it
     */
    default void peerRecovered(BulkPeer peer) {
        // for those who do not want to know
    }

    /**
     * A connection has ended, whoever made it: all entries for the peer have completed.
     *
     * @param peer the peer
     * @param errno why: 0 where one side has closed it, else an errno such as {@link io.verbs4j.Errno#ECONNRESET}
     */
    default void peerDown(BulkPeer peer, int errno) {
        // for those who do not want to know
    }

    /**
     * A device of the endpoint is gone. The endpoint uses it no more; its connections are made again by another device,
     * or by the one that {@link BulkEndpoint#replace} puts in its place. See there for when the context can be closed.
     *
     * @param context the device
     */
    default void deviceLost(Context context) {
        // for those who do not want to know
    }
}
