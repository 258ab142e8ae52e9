/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.SendFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WrOpcode;

/** Constants of work queue elements and completions. Source: mlx5dv.h, and the device's programmer's reference. */
final class Wqe {
    /** The size of the blocks in which send queues count, in bytes. */
    static final int BLOCK = 64;
    /** The size of a segment, which is the unit of an element's size. */
    static final int SEGMENT = 16;

    static final int OP_NOP = 0x00;
    static final int OP_SEND_INVAL = 0x01;
    static final int OP_RDMA_WRITE = 0x08;
    static final int OP_RDMA_WRITE_IMM = 0x09;
    static final int OP_SEND = 0x0a;
    static final int OP_SEND_IMM = 0x0b;
    static final int OP_TSO = 0x0e;
    static final int OP_CQE_WAIT = 0x0f;
    static final int OP_RDMA_READ = 0x10;
    static final int OP_ATOMIC_CS = 0x11;
    static final int OP_ATOMIC_FA = 0x12;
    static final int OP_ATOMIC_MASKED_CS = 0x14;
    static final int OP_ATOMIC_MASKED_FA = 0x15;
    static final int OP_RECV_ENABLE = 0x16;
    static final int OP_SEND_ENABLE = 0x17;
    static final int OP_UMR = 0x25;

    /** A bit that, apart from compare and swap, only operations with immediate data have. */
    static final int HAS_IMMEDIATE = 0x01;

    static final int CTRL_SOLICITED = 1 << 1;
    static final int CTRL_CQ_UPDATE = 2 << 2;
    static final int CTRL_SMALL_FENCE = 1 << 5;
    static final int CTRL_FENCE = 4 << 5;

    static final int INLINE = 0x80000000;
    static final int INVALID_LKEY = 0x100;
    static final int EXTENDED_AV = 0x80000000;
    static final int AV_SIZE = 48;
    static final int ATOMIC_SIZE = 8;

    /** Offset of the doorbell record for receives, in bytes. */
    static final int RECV_RECORD = 0;
    /** Offset of the doorbell record for sends, in bytes. */
    static final int SEND_RECORD = 4;

    /** A bit for each {@link WrOpcode} that names remote memory. */
    static final int REMOTE = 1 << WrOpcode.RDMA_WRITE
            | 1 << WrOpcode.RDMA_WRITE_WITH_IMM
            | 1 << WrOpcode.RDMA_READ
            | 1 << WrOpcode.ATOMIC_CMP_AND_SWP
            | 1 << WrOpcode.ATOMIC_FETCH_AND_ADD;

    /** A bit for each {@link WrOpcode} that carries immediate data. */
    static final int IMMEDIATE = 1 << WrOpcode.SEND_WITH_IMM | 1 << WrOpcode.RDMA_WRITE_WITH_IMM;

    /** A bit for each {@link WrOpcode} that is an atomic. */
    static final int ATOMIC = 1 << WrOpcode.ATOMIC_CMP_AND_SWP | 1 << WrOpcode.ATOMIC_FETCH_AND_ADD;

    /**
     * The device's operation for each {@link WrOpcode} up to the atomics, 8 bits each: a table that needs no memory
     * access.
     */
    private static final long OPERATIONS = (long) OP_RDMA_WRITE << WrOpcode.RDMA_WRITE * 8
            | (long) OP_RDMA_WRITE_IMM << WrOpcode.RDMA_WRITE_WITH_IMM * 8
            | (long) OP_SEND << WrOpcode.SEND * 8
            | (long) OP_SEND_IMM << WrOpcode.SEND_WITH_IMM * 8
            | (long) OP_RDMA_READ << WrOpcode.RDMA_READ * 8
            | (long) OP_ATOMIC_CS << WrOpcode.ATOMIC_CMP_AND_SWP * 8
            | (long) OP_ATOMIC_FA << WrOpcode.ATOMIC_FETCH_AND_ADD * 8;

    private Wqe() {}

    static int operation(int opcode) {
        return opcode == WrOpcode.SEND_WITH_INV ? OP_SEND_INVAL : (int) (OPERATIONS >>> opcode * 8) & 0xff;
    }

    /** Returns the bits in a control segment for the flags of a work request, except FENCE. */
    static int bits(int flags) {
        return (flags << 2 | (flags & SendFlags.SOLICITED) >>> 1) & (CTRL_CQ_UPDATE | CTRL_SOLICITED);
    }

    /** Returns the {@link WcOpcode} for a completed operation of the device. */
    static int wcOpcode(int operation) {
        return switch (operation) {
            case OP_RDMA_WRITE, OP_RDMA_WRITE_IMM -> WcOpcode.RDMA_WRITE;
            case OP_RDMA_READ -> WcOpcode.RDMA_READ;
            case OP_ATOMIC_CS -> WcOpcode.COMP_SWAP;
            case OP_ATOMIC_FA -> WcOpcode.FETCH_ADD;
            case OP_ATOMIC_MASKED_CS -> WcOpcode.MASKED_COMP_SWAP;
            case OP_ATOMIC_MASKED_FA -> WcOpcode.MASKED_FETCH_ADD;
            case OP_TSO -> WcOpcode.TSO;
            case OP_NOP -> WcOpcode.NOP;
            case OP_CQE_WAIT -> WcOpcode.CQE_WAIT;
            case OP_SEND_ENABLE -> WcOpcode.SEND_ENABLE;
            case OP_RECV_ENABLE -> WcOpcode.RECV_ENABLE;
            default -> WcOpcode.SEND;
        };
    }

    /** Combines two words, the first in the upper half, as in 8 bytes in network order. */
    static long words(int first, int second) {
        return (long) first << 32 | second & 0xffffffffL;
    }
}
