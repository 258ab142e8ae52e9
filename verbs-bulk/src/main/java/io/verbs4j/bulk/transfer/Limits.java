/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.datagram.DatagramQueuePair;

/**
 * Numbers that are fixed when an endpoint is opened.
 *
 * @param slots number of receives that a connection has posted
 * @param slotBytes size of each
 * @param sendDepth maximum number of requests in flight on a connection, a power of two
 * @param pieceBytes maximum size of a request
 * @param peerWindow maximum number of bytes in flight on a connection
 * @param deviceWindow maximum number of bytes in flight on all connections of a device
 */
public record Limits(int slots, int slotBytes, int sendDepth, int pieceBytes, long peerWindow, long deviceWindow) {
    /** Maximum number of announced messages that a peer has not read. Part of the protocol. */
    static final int ANNOUNCED = 1024;

    /** Maximum number of completions that a connection has in its queue. */
    public int completions() {
        return Math.max(slots + sendDepth, DatagramQueuePair.COMPLETIONS);
    }
}
