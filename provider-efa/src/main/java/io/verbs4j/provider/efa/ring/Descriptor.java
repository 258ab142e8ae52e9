/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.WrOpcode;

/** Fields of descriptors and completions, as little-endian 8-byte words. Source: rdma-core, {@code efa_io_defs.h}. */
final class Descriptor {
    /** Size of a block in bytes; a send descriptor consists of one or two. */
    static final int BLOCK = 64;

    /** Offset of the part that depends on the operation; the part before is common. */
    static final int DATA = 32;

    /** Size of a local or remote memory element in bytes. */
    static final int PIECE = 16;

    // ---- first word of a send descriptor

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

    // ---- receive element

    static final int FIRST = 1 << 30;
    static final int LAST = 1 << 31;
    static final int MOST_RECEIVED = 0xffff;

    // ---- flags of a completion

    static final int COMPLETION_PHASE = 1;
    static final int OF_SEND = 1;
    static final int HAS_IMMEDIATE = 1 << 3;
    static final int UNSOLICITED = 1 << 7;

    /** Address handle number of a sender that has no handle here. */
    static final int NO_HANDLE = 0xffff;

    private Descriptor() {}

    /** Returns the bits of the first word for a {@link WrOpcode} from 0 to 7. */
    static long control(int opcode) {
        int operation = opcode == WrOpcode.RDMA_READ ? READ : isWrite(opcode) ? WRITE : SEND;
        int immediate = hasImmediate(opcode) ? IMMEDIATE : 0;
        return (long) (FIRST_LAST_COMPLETION << 8 | META | immediate | operation) << 16;
    }

    /** Returns whether a {@link WrOpcode} from 0 to 4 carries immediate data. */
    static boolean hasImmediate(int opcode) {
        return (opcode & 5) == WrOpcode.RDMA_WRITE_WITH_IMM; // one comparison, as posting checks this for each request
    }

    /** Returns whether a {@link WrOpcode} from 0 to 4 is a send, which consumes a receive. */
    static boolean isSend(int opcode) {
        return opcode >> 1 == WrOpcode.SEND >> 1;
    }

    /** Returns whether a {@link WrOpcode} writes remote memory. */
    static boolean isWrite(int opcode) {
        return opcode <= WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    /** Combines two numbers to one word. */
    static long words(int lower, int upper) {
        return (long) upper << 32 | lower & 0xffff_ffffL;
    }
}
