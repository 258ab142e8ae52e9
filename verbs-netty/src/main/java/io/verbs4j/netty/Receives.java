/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.QueuePair;

/**
 * The receives of a connection. Each credit that the peer has is one that was promised to it; some are to spare, for
 * messages that need no credit. Belongs to the loop's thread.
 */
interface Receives {
    /** Posts what was promised, on a queue pair that was made for it. {@return whether there was memory for it} */
    boolean open(QueuePair qp);

    /** {@return how many messages the peer may have under way or unread} */
    int window();

    /** Widens the {@link #window}, so that the peer gets that many more credits. {@return whether there was room} */
    boolean widen(int credits);

    /** A receive has completed; its slot is the caller's. */
    void taken(Slot slot);

    /** Gives a slot back whose message has been read. */
    void put(Slot slot);

    /** Gives a slot back whose receive has failed. */
    void failed(Slot slot);

    /** {@return whether another slot was posted in place of one that a buffer of the program's keeps} */
    boolean replace(Slot slot);

    /** The connection and its queue pair are gone. */
    void close();
}
