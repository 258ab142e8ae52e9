/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

/** A connected queue pair. */
public interface PeerConnection extends AutoCloseable {
    /** What the peer says, not judged yet. */
    byte[] hello();

    /**
     * Runs an action once when the peer disconnects or is gone; at once where it is. Does nothing after {@link #close}.
     */
    void onDisconnected(Runnable action);

    /** Tells the peer, and closes the queue pair: nothing touches memory by it any more. */
    @Override
    void close();
}
