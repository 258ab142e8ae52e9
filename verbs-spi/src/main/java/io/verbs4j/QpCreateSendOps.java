/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that declare which operations will be posted to a queue pair: {@link QpInitAttrEx#sendOpsFlags(long)}.
 *
 * <p>The bits have the numbers of C. Bits that only verbs4j has are from 32 on. Since level 2. Source:
 * {@code ibv_create_qp_ex(3)}, {@code enum ibv_qp_create_send_ops_flags}.
 */
public final class QpCreateSendOps {
    /** Bit: {@link WrOpcode#RDMA_WRITE}. Source: {@code IBV_QP_EX_WITH_RDMA_WRITE}. */
    public static final long RDMA_WRITE = 1L << 0;

    /** Bit: {@link WrOpcode#RDMA_WRITE_WITH_IMM}. Source: {@code IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM}. */
    public static final long RDMA_WRITE_WITH_IMM = 1L << 1;

    /** Bit: {@link WrOpcode#SEND}. Source: {@code IBV_QP_EX_WITH_SEND}. */
    public static final long SEND = 1L << 2;

    /** Bit: {@link WrOpcode#SEND_WITH_IMM}. Source: {@code IBV_QP_EX_WITH_SEND_WITH_IMM}. */
    public static final long SEND_WITH_IMM = 1L << 3;

    /** Bit: {@link WrOpcode#RDMA_READ}. Source: {@code IBV_QP_EX_WITH_RDMA_READ}. */
    public static final long RDMA_READ = 1L << 4;

    /** Bit: {@link WrOpcode#ATOMIC_CMP_AND_SWP}. Source: {@code IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP}. */
    public static final long ATOMIC_CMP_AND_SWP = 1L << 5;

    /** Bit: {@link WrOpcode#ATOMIC_FETCH_AND_ADD}. Source: {@code IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD}. */
    public static final long ATOMIC_FETCH_AND_ADD = 1L << 6;

    /** Bit: {@link WrOpcode#LOCAL_INV}. Since level 3. Source: {@code IBV_QP_EX_WITH_LOCAL_INV}. */
    public static final long LOCAL_INV = 1L << 7;

    /**
     * Bit: {@link QueuePair#bindMw(MemoryWindow, MwBind)}, and from level 3 on {@link WrOpcode#BIND_MW}. Source:
     * {@code IBV_QP_EX_WITH_BIND_MW}.
     */
    public static final long BIND_MW = 1L << 8;

    /** Bit: {@link WrOpcode#SEND_WITH_INV}. Since level 3. Source: {@code IBV_QP_EX_WITH_SEND_WITH_INV}. */
    public static final long SEND_WITH_INV = 1L << 9;

    /** Bit: {@link WrOpcode#TSO}. Since level 4. Source: {@code IBV_QP_EX_WITH_TSO}. */
    public static final long TSO = 1L << 10;

    /** Bit: {@link WrOpcode#FLUSH}. Since level 3. Source: {@code IBV_QP_EX_WITH_FLUSH}. */
    public static final long FLUSH = 1L << 11;

    /** Bit: {@link WrOpcode#ATOMIC_WRITE}. Since level 3. Source: {@code IBV_QP_EX_WITH_ATOMIC_WRITE}. */
    public static final long ATOMIC_WRITE = 1L << 12;

    /** Bit: {@link WrOpcode#REG_MR}. Since level 3. Bits from 32 are verbs4j's own. */
    public static final long REG_MR = 1L << 32;

    /** Bit: {@link WrOpcode#RDMA_READ_WITH_INV}. Since level 3. */
    public static final long RDMA_READ_WITH_INV = 1L << 33;

    /** Bit: {@link WrOpcode#NOP}. Since level 3. */
    public static final long NOP = 1L << 34;

    /** Bit: {@link WrOpcode#CQE_WAIT}. Since level 3. */
    public static final long CQE_WAIT = 1L << 35;

    /** Bit: {@link WrOpcode#SEND_ENABLE}. Since level 3. */
    public static final long SEND_ENABLE = 1L << 36;

    /** Bit: {@link WrOpcode#RECV_ENABLE}. Since level 3. */
    public static final long RECV_ENABLE = 1L << 37;

    /** Bit: {@link WrOpcode#MASKED_ATOMIC_CMP_AND_SWP}. Since level 3. */
    public static final long MASKED_ATOMIC_CMP_AND_SWP = 1L << 38;

    /** Bit: {@link WrOpcode#MASKED_ATOMIC_FETCH_AND_ADD}. Since level 3. */
    public static final long MASKED_ATOMIC_FETCH_AND_ADD = 1L << 39;

    private static final String[] NAMES = {
        "RDMA_WRITE",
        "RDMA_WRITE_WITH_IMM",
        "SEND",
        "SEND_WITH_IMM",
        "RDMA_READ",
        "ATOMIC_CMP_AND_SWP",
        "ATOMIC_FETCH_AND_ADD",
        "LOCAL_INV",
        "BIND_MW",
        "SEND_WITH_INV",
        "TSO",
        "FLUSH",
        "ATOMIC_WRITE",
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        "REG_MR",
        "RDMA_READ_WITH_INV",
        "NOP",
        "CQE_WAIT",
        "SEND_ENABLE",
        "RECV_ENABLE",
        "MASKED_ATOMIC_CMP_AND_SWP",
        "MASKED_ATOMIC_FETCH_AND_ADD",
    };

    private QpCreateSendOps() {}

    /**
     * Returns the bit of an operation.
     *
     * @param wrOpcode a {@link WrOpcode} value
     * @return the bit; 0 for an operation that has none
     */
    public static long of(int wrOpcode) {
        if (wrOpcode >= WrOpcode.RDMA_WRITE && wrOpcode <= WrOpcode.TSO) {
            return 1L << wrOpcode;
        }
        switch (wrOpcode) {
            case WrOpcode.FLUSH:
                return FLUSH;
            case WrOpcode.ATOMIC_WRITE:
                return ATOMIC_WRITE;
            case WrOpcode.MASKED_ATOMIC_CMP_AND_SWP:
                return MASKED_ATOMIC_CMP_AND_SWP;
            case WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD:
                return MASKED_ATOMIC_FETCH_AND_ADD;
            default:
                return wrOpcode >= WrOpcode.REG_MR && wrOpcode <= WrOpcode.RECV_ENABLE
                        ? REG_MR << wrOpcode - WrOpcode.REG_MR
                        : 0;
        }
    }

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param ops bits of this class
     * @return for instance {@code "RDMA_WRITE|SEND"}; {@code "0"} if no bit is set; bits without a name come last, as
     *     one hexadecimal number
     */
    public static String toString(long ops) {
        return InputAttr.join(ops, NAMES);
    }
}
