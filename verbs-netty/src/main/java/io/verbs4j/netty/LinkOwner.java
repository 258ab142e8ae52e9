/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

/** The user of a connection: a channel. All methods are called by the thread of its event loop. */
interface LinkOwner {
    /** Called when the connection is established. */
    void opened();

    /** Called when the connection could not be established. */
    void refused(Exception cause);

    /** Called when messages, the end of the stream, or the end of the connection may have come. */
    void readable();

    /** Called when there may be room to send more. */
    void writable();
}
