/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import java.nio.ByteBuffer;

/** Receives a connection's events. All calls come from the thread that drives it. */
public interface DatagramUser {
    /** Called when a request and all before it have completed. The status is a {@link io.verbs4j.WcStatus}. */
    void sent(int number, int status);

    /** Called when a slot holds a message, a value has arrived and uses a slot, or the connection has ended. */
    void received(int slot, int status, boolean told, int immediate, int length);

    /**
     * Writes bytes to the memory that the peer names, if that is allowed.
     *
     * @param key the peer's key for the memory
     * @param address the address in it
     * @param from memory that contains the bytes
     * @param at their start
     * @param length their number, at least 1
     * @return whether all bytes were written; if false, none was
     */
    boolean place(int key, long address, ByteBuffer from, int at, int length);

    /** Called when {@link DatagramPosts#advance()} has work to do. */
    void active();

    /** Called like {@link #failed} when the device has failed a request, with a {@link io.verbs4j.WcStatus}. */
    void failedBy(int status);

    /**
     * Called with an errno when the peer does not answer, violates the protocol or has ended the connection, or when
     * the device fails. The user must end the connection with {@link DatagramPosts#fail()}.
     */
    void failed(int errno);
}
