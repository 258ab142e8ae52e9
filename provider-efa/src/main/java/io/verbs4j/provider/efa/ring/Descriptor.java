/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.WrOpcode;

/** What descriptors and completions are made of, as little-endian words of 8 bytes. Source: rdma-core, efa_io_defs.h. */
final class Descriptor {
    /** Size of a part of a send descriptor; one has one of these or two. */
    static final int BLOCK = 64;

    /** Where what belongs to the operation begins; before it is what all have. */
    static final int DATA = 32;

    /** Size of a piece of memory, here or there. */
    static final int PIECE = 16;

    // ---- the first word of a send descriptor

    private static final int META = 1 << 7;
    private static final int IMMEDIATE = 1 << 4;
    private static final int FIRST_LAST_COMPLETION = 0x1c;

    static final int SEND = 0;
    static final int READ = 1;
    static final int WRITE = 2;

    static final long INLINE = 1L << 21;
    static final long PHASE = 1L << 24;
    static final int LENGTH = 48; // shift

    static final int LKEY = 0xff_ffff;

    // ---- a piece of a receive

    static final int FIRST = 1 << 30;
    static final int LAST = 1 << 31;
    static final int MOST_RECEIVED = 0xffff;

    // ---- the flags of a completion

    static final int COMPLETION_PHASE = 1;
    static final int OF_SEND = 1;
    static final int HAS_IMMEDIATE = 1 << 3;
    static final int UNSOLICITED = 1 << 7;

    /** The handle of a sender that there is none to. */
    static final int NO_HANDLE = 0xffff;

    private Descriptor() {}

    /** The bits of the first word that a {@link WrOpcode} from 0 to 7 stands for. */
    static long control(int opcode) {
        int operation = opcode == WrOpcode.RDMA_READ ? READ : isWrite(opcode) ? WRITE : SEND;
        int immediate = hasImmediate(opcode) ? IMMEDIATE : 0;
        return (long) (FIRST_LAST_COMPLETION << 8 | META | immediate | operation) << 16;
    }

    /** Whether a {@link WrOpcode} from 0 to 4 has immediate data. */
    static boolean hasImmediate(int opcode) {
        return (opcode & 5) == WrOpcode.RDMA_WRITE_WITH_IMM; // in one look: a post asks for each request
    }

    /** Whether a {@link WrOpcode} from 0 to 4 sends a message to whoever receives. */
    static boolean isSend(int opcode) {
        return opcode >> 1 == WrOpcode.SEND >> 1;
    }

    /** Whether a {@link WrOpcode} writes to remote memory. */
    static boolean isWrite(int opcode) {
        return opcode <= WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    /** Two numbers in a word. */
    static long words(int lower, int upper) {
        return (long) upper << 32 | lower & 0xffff_ffffL;
    }
}
