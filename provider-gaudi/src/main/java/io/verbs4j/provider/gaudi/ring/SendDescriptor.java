/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.natives.memory.NativeMemory;

/**
 * A send descriptor of Gaudi2: one piece of memory of this side, one of the peer's. Little-endian words of 8 bytes; descriptors lie 32 or 64 bytes
 * apart, and of 64 the second half is for strides, and zero.
 *
 * <pre>
 *      63            32 31  30  29  28       16 15        8 7   6 5  4      0
 *  0  |     length     |ack|inl|sol| reduction | index low | 0 |trc| opcode  |
 *  8  |                 address here, the device's                           |
 * 16  |                 address there, the peer's device's                   |
 * 24  |completion 62-63|command 61|sync object 32-60|         tag 0-31       |
 * </pre>
 *
 * <p>The index is the low byte of the place in the ring: the device refuses a descriptor that lies elsewhere (syndrome 0x91), what an
 * older round has left with a ring longer than 256 among them. Completion and sync object: 2 is a completion queue, 1 and 3 are
 * the accelerator's own. The tag comes back in the completion. Source: the kernel driver's structures (GPL-2.0), read for facts alone.
 */
final class SendDescriptor {
    /** Bytes of one that a ring has no room for strides between. */
    static final int SIZE = 32;

    /** What does nothing, and completes. */
    static final int NOP = 0;

    /** Writes one piece of memory to the peer's. */
    static final int LINEAR = 2;

    private static final int INDEX = 8; // shift
    private static final int INDEX_MASK = 0xff;
    private static final long SOLICITED = 1L << 29;
    private static final long ACK_REQUEST = 1L << 31;
    private static final int LENGTH = 32; // shift
    private static final long COMPLETES = 2L << 62;

    private static final int LOCAL = 8;
    private static final int REMOTE = 16;
    private static final int TAIL = 24;

    private SendDescriptor() {}

    /**
     * Writes one.
     *
     * @param at where it lies
     * @param index its place in the ring
     * @param length bytes; 0 with {@link #NOP}
     * @param tag comes back in the completion
     * @param signaled whether there is a completion, which an answer of the peer's is asked for
     */
    static void put(
            long at,
            int opcode,
            int index,
            int length,
            long local,
            long remote,
            int tag,
            boolean signaled,
            boolean solicited) {
        NativeMemory.putLong(
                at,
                (long) length << LENGTH
                        | (signaled ? ACK_REQUEST : 0)
                        | (solicited ? SOLICITED : 0)
                        | (index & INDEX_MASK) << INDEX
                        | opcode);
        NativeMemory.putLong(at + LOCAL, local);
        NativeMemory.putLong(at + REMOTE, remote);
        NativeMemory.putLong(at + TAIL, (signaled ? COMPLETES : 0) | tag & 0xffff_ffffL);
    }
}
