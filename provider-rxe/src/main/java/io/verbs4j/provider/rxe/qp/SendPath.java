/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.SendBuilder;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.provider.rxe.wire.Packet;

/**
 * Carries out a queue pair's send queue, within this JVM or by packets.
 *
 * <p>All methods except {@link #onPacket} are called with the queue pair's send lock held.
 */
public interface SendPath {

    /**
     * Carries out the first requests of a list that need no place in the send queue, which is empty. Begins only what
     * it can finish. If it throws, the cause is the first request that was not passed to
     * {@link RxeQp#completeSent}.
     *
     * @param most maximum number of requests
     * @return the first request that could not be sent immediately, untouched, for the caller to queue; or null if all
     *     were sent
     */
    default SendWorkRequest sendNow(SendWorkRequest first, int most) {
        return first;
    }

    /**
     * Carries out the first requests of a builder. All are plain RDMA writes, and the send queue is empty and has room
     * for them. Calls {@link RxeQp#completeSent} for each one it carries out; the caller queues the rest.
     */
    default void sendNow(SendBuilder built) {}

    /** Continues the send queue as far as possible without waiting. */
    void run();

    /**
     * Handles the deadline that was set with {@link RxeQp#wakeAt(long)}.
     *
     * @param now current time
     * @param seen everything that had arrived by this time has been processed: an answer that was due by then and is
     *     missing is late
     */
    void onTimer(long now, long seen);

    /** Forgets all work in progress, when the queue pair leaves its working states or is destroyed. */
    void stop();

    /** {@return the next PSN of the send queue} */
    int sqPsn();

    /** {@return the next PSN that the receive queue expects} */
    int rqPsn();

    /** Sends packets that were kept back to be sent together. */
    default void flush() {}

    /** Processes a packet for this queue pair. Called without a lock, by one thread at a time. */
    default void onPacket(Packet packet) {}
}
