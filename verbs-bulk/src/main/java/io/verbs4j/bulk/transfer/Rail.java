/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** An additional queue pair of a connection, with its state. */
final class Rail {
    /** State of this side's queue pair. */
    enum State {
        /** It is being created, perhaps after a delay. */
        MAKING,
        /** It was offered to the peer, which has not answered. */
        OFFERED,
        /** It is being connected to the peer's. */
        CONNECTING,
        /** It is connected, but the peer has not confirmed that its own is. */
        ANSWERED,
        UP,
        /** Posted requests still have to complete. */
        FAILING,
        CLOSED
    }

    final RailId id;
    State state = State.MAKING;

    /** Lane for bytes, once the queue pair is created. */
    RailLane lane;

    /** Whether the peer has reported that it has no queue pair. */
    boolean closedThere;

    /** Whether a retry is useless. */
    boolean last;

    /** Time when it failed. */
    long failingSince;

    /** Time when this side's queue pair was closed. */
    long closedSince;

    Rail(RailId id) {
        this.id = id;
    }

    boolean isUp() {
        return state == State.UP;
    }

    /** Whether this side has no queue pair any more, or soon. */
    boolean isEnding() {
        return state == State.FAILING || state == State.CLOSED;
    }

    /** Whether it has bytes that can't be posted again before the peer has closed its queue pair. */
    boolean isHeldByPeer() {
        return state == State.CLOSED && !closedThere && lane != null && !lane.posted.isEmpty();
    }

    /** Whether there is a queue pair that can be failed. */
    boolean isOpen() {
        return state == State.OFFERED || state == State.CONNECTING || state == State.ANSWERED || state == State.UP;
    }
}
