/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.provider.rxe.wire.Packet;

/**
 * The shared receive queues of another process in an XRC domain. Each call waits for that process, but only briefly: if
 * it does not answer, it is considered dead. Methods return constants of {@link InboundMessage}. Used with the receive
 * lock held.
 */
public interface RemoteQueues {

    /** Passes on a packet of a SEND or RDMA WRITE; its payload is in place when this returns. */
    int accept(int accessFlags, Packet packet);

    /** Completes the receive work request of the current message with an error, if one was taken. */
    void fail(int status);

    /** Forgets the current message, which will be repeated. */
    void abandon();

    /** Checks whether a range may be read, with the keys as they are now. */
    int check(int accessFlags, int srqNum, int rkey, long address, long bytes);

    /** Reads up to 4096 bytes. */
    int read(int accessFlags, int srqNum, int rkey, long address, int bytes, long to);

    /** Executes an atomic operation; {@link #found()} returns the value found. */
    int atomic(int accessFlags, int srqNum, int rkey, long address, boolean swaps, long compare, long swapAdd);

    /** {@return the value that the last atomic operation found} */
    long found();
}
