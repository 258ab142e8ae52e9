/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

/** Types of frames. Each request is answered by one {@link #REPLY}. */
final class FrameType {
    /** Changes when the frames change, so that processes of different releases refuse each other. */
    static final int VERSION = 1;

    // From a process with a receiving queue pair, to one with shared receive queues.
    /** Version, queue pair number, path MTU; the first frame. */
    static final int HELLO = 1;

    /** Access flags, a packet. */
    static final int PACKET = 2;

    /** Access flags, queue, key, address, length. */
    static final int READ = 3;

    /** As {@link #READ}. */
    static final int CHECK = 4;

    /** Access flags, queue, key, address, whether it swaps, operands. */
    static final int ATOMIC = 5;

    /** Status of the completion, or {@link #ABANDON}. */
    static final int FAIL = 6;

    // From a process that opens a queue pair, to the one that owns it.
    /** Version, queue pair number; the first frame. */
    static final int OPEN = 16;

    /** Mask, attributes. */
    static final int MODIFY = 17;

    /** No content. */
    static final int QUERY = 18;

    /** Answer. */
    static final int REPLY = 32;

    /** An asynchronous event; the only unsolicited frame. */
    static final int EVENT = 33;

    static final int ABANDON = -1;

    private FrameType() {}
}
