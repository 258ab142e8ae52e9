/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.datagram.DatagramQueuePair;

/**
 * Numbers that are fixed when an endpoint is opened.
 *
 * @param slots receives that a connection has posted
 * @param slotBytes size of each
 * @param sendDepth requests that a connection has under way at a time, a power of two
 * @param pieceBytes most bytes of a request
 * @param peerWindow bytes that a connection has under way at a time
 * @param deviceWindow bytes that all connections of a device have under way at a time
 */
public record Limits(int slots, int slotBytes, int sendDepth, int pieceBytes, long peerWindow, long deviceWindow) {
    /** Messages that a peer is told of at a time, and has not read. Part of the protocol. */
    static final int ANNOUNCED = 1024;

    /** Completions that a connection may have in its queue at a time. */
    public int completions() {
        return Math.max(slots + sendDepth, DatagramQueuePair.COMPLETIONS);
    }
}
