/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import java.nio.ByteBuffer;

/** Receives what a connection has to report. All calls come from the thread that drives it. */
public interface DatagramUser {
    /** A request has completed, and all before it. The status is a {@link io.verbs4j.WcStatus}. */
    void sent(int number, int status);

    /** A message is in a slot, or a value has come, which takes a slot; or the connection has ended. */
    void received(int slot, int status, boolean told, int immediate, int length);

    /**
     * Puts bytes where the peer wants them, if that is allowed.
     *
     * @param key what the peer calls the memory by
     * @param address where in it
     * @param from memory that has the bytes
     * @param at where they begin
     * @param length how many, at least 1
     * @return whether they were put there; otherwise nothing was written
     */
    boolean place(int key, long address, ByteBuffer from, int at, int length);

    /** {@link DatagramPosts#advance()} has something to do. */
    void active();

    /** The device has failed a request: a {@link io.verbs4j.WcStatus}. Else as {@link #failed}. */
    void failedBy(int status);

    /**
     * The peer does not answer, breaks the rules or has ended the connection, or the device fails: an errno. The user
     * has to end the connection, by {@link DatagramPosts#fail()}.
     */
    void failed(int errno);
}
