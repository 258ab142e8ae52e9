/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

/** The user of a connection: a channel. All methods are called by the thread of its event loop. */
interface LinkOwner {
    /** The connection is there. */
    void opened();

    /** The connection did not come about. */
    void refused(Exception cause);

    /** Messages may have come, or the end of the stream, or of the connection. */
    void readable();

    /** There may be room for more to send. */
    void writable();
}
