/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.provider.rxe.wire.Packet;

/**
 * The shared receive queues of another process of an XRC domain. Each call waits for that process, but not for long: where it
 * does not answer it is taken for dead. Answers are constants of {@link InboundMessage}. Used
 * with the receive lock held.
 */
public interface RemoteQueues {

    /** Hands a packet of a SEND or RDMA WRITE over; what it carries is in place when this returns. */
    int accept(int accessFlags, Packet packet);

    /** Completes with an error the receive work request of the message under way, if one was taken. */
    void fail(int status);

    /** Forgets the message under way, which comes again. */
    void abandon();

    /** Whether so much may be read, as keys are now. */
    int check(int accessFlags, int srqNum, int rkey, long address, long bytes);

    /** Reads up to 4096 bytes. */
    int read(int accessFlags, int srqNum, int rkey, long address, int bytes, long to);

    /** Carries out an atomic operation; what it found is in {@link #found()}. */
    int atomic(int accessFlags, int srqNum, int rkey, long address, boolean swaps, long compare, long swapAdd);

    /** What the last atomic operation found. */
    long found();
}
