/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** One more queue pair of a connection: where it stands. */
final class Rail {
    /** Where the queue pair of this side stands. */
    enum State {
        /** It is being made, perhaps after some time. */
        MAKING,
        /** The peer was told of it, and has not answered. */
        OFFERED,
        /** It is being connected to the peer's. */
        CONNECTING,
        /** It is connected, and the peer has not said so of its own. */
        ANSWERED,
        UP,
        /** What was posted to it still has to complete. */
        FAILING,
        CLOSED
    }

    final RailId id;
    State state = State.MAKING;

    /** Where bytes are posted, once it is made. */
    RailLane lane;

    /** The peer has said that it has none. */
    boolean closedThere;

    /** Another one is of no use. */
    boolean last;

    /** Since when it fails. */
    long failingSince;

    /** Since when this side's queue pair is closed. */
    long closedSince;

    Rail(RailId id) {
        this.id = id;
    }

    boolean isUp() {
        return state == State.UP;
    }

    /** Whether there is no queue pair of this side's any more, or soon. */
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
