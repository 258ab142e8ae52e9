/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

/** What is done when a connection ends; by the thread that drives. */
public interface LinkEnd {
    /** Closes the queue pair: nothing touches memory by it any more. Comes before its transfers are completed. */
    void close(Link link);

    /** Closes the queue pair of a connection that is to be recovered, and looks at all that has completed by it. */
    void release(Link link);

    /** The connection may be made again. */
    void suspended(Link link);

    /** All transfers of the connection have completed. */
    void ended(Link link);
}
