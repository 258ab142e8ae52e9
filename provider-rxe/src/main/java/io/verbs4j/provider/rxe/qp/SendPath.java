/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.SendBuilder;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.provider.rxe.wire.Packet;

/**
 * What carries out a queue pair's send queue: within this JVM, or by packets.
 *
 * <p>All methods but {@link #onPacket} are called with the queue pair's send lock held.
 */
public interface SendPath {

    /**
     * Carries out those first requests of a list that need no place in the send queue, which is empty; may begin only what it ends.
     *
     * @param most how many at most
     * @return the first request that is another one, or that anything is the matter with: nothing has happened of it, and it is to be queued; or null.
     *     Where something is thrown, that is at the first request that {@link RxeQueuePair#completeSent} has not been told of
     */
    default SendWorkRequest sendNow(SendWorkRequest first, int most) {
        return first;
    }

    /**
     * Carries out the first requests of a builder, all of them plain RDMA writes for which the send queue, which is
     * empty, has room. {@link RxeQueuePair#completeSent} is told of each; the others are to be queued.
     */
    default void sendNow(SendBuilder built) {}

    /** Goes on with the send queue as far as it can without waiting. */
    void run();

    /**
     * The deadline that was set with {@link RxeQueuePair#wakeAt(long)} has passed.
     *
     * @param now the time
     * @param seen what had arrived by then has been taken in: an answer that was due by then and is not there is late
     */
    void onTimer(long now, long seen);

    /** Forgets what was under way; the queue pair leaves its working states or is destroyed. */
    void stop();

    /** The PSN that the send queue uses next. */
    int sqPsn();

    /** The PSN that the receive queue expects next. */
    int rqPsn();

    /** Sends what was kept back to be sent together. */
    default void flush() {}

    /** Takes a packet for this queue pair. Called without a lock, by one thread at a time. */
    default void onPacket(Packet packet) {}
}
