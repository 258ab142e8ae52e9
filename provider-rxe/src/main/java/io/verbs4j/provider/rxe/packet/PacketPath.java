/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.qp.SendPath;
import io.verbs4j.provider.rxe.wire.Packet;

/** A path that takes packets in. */
abstract class PacketPath implements SendPath {
    final RxeQueuePair qp;

    /** Whether {@link #burstEnded} is to be called; the dispatcher's that hands packets on. */
    boolean inBurst;

    PacketPath nextInBurst;

    /** Whether {@link #answerIsLate} is to be called; that dispatcher's, too. */
    boolean awaitsAnswer;

    PacketPath nextAwaiting;

    PacketPath(RxeQueuePair qp) {
        this.qp = qp;
    }

    /** Whether a packet came from the peer, where there is one, to where it sends to. */
    abstract boolean isFromPeer(Packet packet);

    /** Whether {@link #burstEnded} has something to do after a packet. */
    abstract boolean wantsBurstEnd();

    /**
     * No more packets are at hand: time to answer them. Called without a lock.
     *
     * @param polled whether a program took them in, which polls a completion queue
     * @return whether {@link #answerIsLate} is to be called
     */
    abstract boolean burstEnded(boolean polled);

    /** The program that took the last burst in looks for more: it has sent all that it sends on account of that. Called without a lock. */
    void answerIsLate() {}
}
