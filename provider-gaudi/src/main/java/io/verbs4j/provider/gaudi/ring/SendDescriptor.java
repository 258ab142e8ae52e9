/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.natives.memory.NativeMemory;

/**
 * A send descriptor of Gaudi2: one local and one remote memory element. Little-endian 8-byte words. Descriptors lie 32
 * or 64 bytes apart; of 64, the second half is for strides, and zero.
 *
 * <pre>
 *      63            32 31  30  29  28       16 15        8 7   6 5  4      0
 *  0  |     length     |ack|inl|sol| reduction | index low | 0 |trc| opcode  |
 *  8  |                    local device address                              |
 * 16  |                 remote device address, of the peer                   |
 * 24  |completion 62-63|command 61|sync object 32-60|         tag 0-31       |
 * </pre>
 *
 * <p>The index is the low byte of the position in the ring. The device refuses a descriptor at another position
 * (syndrome 0x91), and so, in a ring longer than 256, also most left-overs of an earlier round. Completion and sync
 * object: 2 is a completion queue, 1 and 3 are the accelerator's own. The completion returns the tag. Source: the
 * kernel driver's structures (GPL-2.0), read for facts alone.
 */
final class SendDescriptor {
    /** Size in bytes of a descriptor in a ring without room for strides. */
    static final int SIZE = 32;

    /** Does nothing, but completes. */
    static final int NOP = 0;

    /** Writes one memory element to the peer's memory. */
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
     * Writes a descriptor.
     *
     * @param at address of the descriptor
     * @param index position in the ring
     * @param length length in bytes; 0 with {@link #NOP}
     * @param tag returned in the completion
     * @param signaled whether there is a completion, for which the peer must acknowledge
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
