/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.bulk.BulkBuffer;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.bulk.BulkRing;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reports to senders that there is no free lane, one after the other, in its own thread: a sender that does not listen
 * delays only other refused senders.
 */
final class BusyAnswers implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(BusyAnswers.class.getName());
    private static final long LATER_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Senders beyond this number have their connection closed without an answer. */
    private static final int MOST_WAITING = 64;

    private final Message.Busy answer;
    private final BulkRing ring;
    private final BulkBuffer messages;
    private final ThreadPoolExecutor thread;

    /** Whether the ring still has operations of an earlier sender in flight. Only the thread uses it. */
    private boolean unusable;

    BusyAnswers(BulkEndpoint endpoint, String reason) {
        answer = new Message.Busy(reason);
        ring = endpoint.ring(CopySizes.RING);
        messages = endpoint.allocate(CopyChannel.messageBytes());
        thread = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), BusyAnswers::newThread);
    }

    private static Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "copy-busy");
        thread.setDaemon(true);
        return thread;
    }

    /** Queues the answer to a sender; its connection is closed afterwards. */
    void add(BulkPeer peer) {
        try {
            thread.execute(() -> turnAway(peer));
        } catch (RejectedExecutionException e) {
            peer.close();
        }
    }

    private void turnAway(BulkPeer peer) {
        if (unusable) {
            peer.close();
            return;
        }
        CopyChannel channel = new CopyChannel(ring, messages, peer, slot -> {});
        try {
            channel.send(answer);
            channel.flush();
            Message unused = channel.receive(LATER_NANOS); // the sender then closes the connection
        } catch (ConnectionLost e) {
            LOG.log(System.Logger.Level.DEBUG, "turned away: " + peer, e);
        } finally {
            unusable = !channel.close();
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
