/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.qp.SendPath;
import io.verbs4j.provider.rxe.wire.Packet;

/** A path that receives packets. */
abstract class PacketPath implements SendPath {
    final RxeQp qp;

    /** Whether {@link #burstEnded} is to be called. Owned by the dispatcher that passes packets on. */
    boolean inBurst;

    PacketPath nextInBurst;

    /** Whether {@link #answerIsLate} is to be called. Owned by the same dispatcher. */
    boolean awaitsAnswer;

    PacketPath nextAwaiting;

    PacketPath(RxeQp qp) {
        this.qp = qp;
    }

    /** Returns whether a packet came from the peer, if there is one, to the address that this path sends from. */
    abstract boolean isFromPeer(Packet packet);

    /** {@return whether {@link #burstEnded} has something to do after a packet} */
    abstract boolean wantsBurstEnd();

    /**
     * Answers the packets of a burst, because no more are available. Called without locks.
     *
     * @param polled whether the packets were received by a program that polls a completion queue
     * @return whether {@link #answerIsLate} is to be called
     */
    abstract boolean burstEnded(boolean polled);

    /**
     * Handles a late answer: the program that received the last burst looks for more packets, so it has sent everything
     * that it sends in response. Called without locks.
     */
    void answerIsLate() {}
}
