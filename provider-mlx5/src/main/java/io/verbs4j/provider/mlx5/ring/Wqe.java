/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

/** Numbers of work queue elements and completions. Source: mlx5dv.h, and the device's programmer's reference. */
final class Wqe {
    /** Send queues count in blocks of so many bytes. */
    static final int BLOCK = 64;
    /** Segments, and the unit that an element's size is told in. */
    static final int SEGMENT = 16;

    static final int OP_RDMA_WRITE = 0x08;
    static final int OP_RDMA_WRITE_IMM = 0x09;
    static final int OP_SEND = 0x0a;
    static final int OP_SEND_IMM = 0x0b;
    static final int OP_RDMA_READ = 0x10;
    static final int OP_ATOMIC_CS = 0x11;
    static final int OP_ATOMIC_FA = 0x12;
    static final int OP_UMR = 0x25;

    static final int CTRL_SOLICITED = 1 << 1;
    static final int CTRL_CQ_UPDATE = 2 << 2;
    static final int CTRL_SMALL_FENCE = 1 << 5;
    static final int CTRL_FENCE = 4 << 5;

    static final int INLINE = 0x80000000;
    static final int INVALID_LKEY = 0x100;
    static final int EXTENDED_AV = 0x80000000;
    static final int AV_SIZE = 48;
    static final int ATOMIC_SIZE = 8;

    /** Index of the doorbell record that tells of receives, in bytes. */
    static final int RECV_RECORD = 0;
    /** Index of the doorbell record that tells of sends, in bytes. */
    static final int SEND_RECORD = 4;

    /** The device's operation for each {@link io.verbs4j.WrOpcode}. */
    private static final int[] OPERATIONS = {
        OP_RDMA_WRITE, OP_RDMA_WRITE_IMM, OP_SEND, OP_SEND_IMM, OP_RDMA_READ, OP_ATOMIC_CS, OP_ATOMIC_FA,
    };

    private Wqe() {}

    static int operation(int opcode) {
        return OPERATIONS[opcode];
    }

    /** Two words as one, the first in the upper half: what 8 bytes in network order hold. */
    static long words(int first, int second) {
        return (long) first << 32 | second & 0xffffffffL;
    }
}
