/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** Handles the end of connections; by the driving thread. */
public interface LinkEnd {
    /** Closes the queue pair, which no longer accesses memory. Called before the connection's transfers complete. */
    void close(Link link);

    /** Closes the queue pair of a connection to be recovered, and handles all of its completions. */
    void release(Link link);

    /** Called when the connection may be restored. */
    void suspended(Link link);

    /** Called when all transfers of the connection have completed. */
    void ended(Link link);
}
