/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

/** Types of frames. Each request is answered by one {@link #REPLY}. */
final class FrameType {
    /** Changes with the frames: processes of different releases then refuse each other. */
    static final int VERSION = 1;

    // Of a process that has a receiving queue pair, to one that has shared receive queues.
    /** Version, queue pair number, path MTU; the first. */
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

    // Of a process that opens a queue pair, to the one that has it.
    /** Version, queue pair number; the first. */
    static final int OPEN = 16;

    /** Mask, attributes. */
    static final int MODIFY = 17;

    /** Nothing. */
    static final int QUERY = 18;

    /** Answer. */
    static final int REPLY = 32;

    /** An asynchronous event; the one frame that nobody has asked for. */
    static final int EVENT = 33;

    static final int ABANDON = -1;

    private FrameType() {}
}
