/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

/** A connected queue pair. */
public interface PeerConnection extends AutoCloseable {
    /** The peer's hello, not validated yet. */
    byte[] hello();

    /**
     * Runs an action once when the peer disconnects or goes away; immediately if it has done so already. Has no effect
     * after {@link #close}.
     */
    void onDisconnected(Runnable action);

    /** Notifies the peer and closes the queue pair, which no longer accesses memory. */
    @Override
    void close();
}
