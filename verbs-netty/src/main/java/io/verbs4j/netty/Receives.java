/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.QueuePair;

/**
 * The receives of a connection. Each credit of the peer is backed by a promised receive; spare receives serve messages
 * that need no credit. Belongs to the loop's thread.
 */
interface Receives {
    /** Posts the promised receives on a queue pair made for them. {@return whether there was enough memory} */
    boolean open(QueuePair qp);

    /** {@return how many messages of the peer may be in transit or unread} */
    int window();

    /** Widens the {@link #window}, to give the peer that many more credits. {@return whether there was room} */
    boolean widen(int credits);

    /** Takes the slot of a completed receive, which belongs to the caller from now on. */
    void taken(Slot slot);

    /** Returns a slot whose message has been read. */
    void put(Slot slot);

    /** Returns a slot whose receive has failed. */
    void failed(Slot slot);

    /** {@return whether another slot was posted in place of one that the program's buffer keeps} */
    boolean replace(Slot slot);

    /** Called when the connection and its queue pair are gone. */
    void close();
}
