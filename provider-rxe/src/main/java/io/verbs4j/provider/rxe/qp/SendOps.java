/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.SendFlags;

/** The operations that can be posted to queue pairs. */
public final class SendOps {
    /** Operations that only RC supports. */
    private static final long RC_ALONE = QpCreateSendOps.LOCAL_INV
            | QpCreateSendOps.SEND_WITH_INV
            | QpCreateSendOps.FLUSH
            | QpCreateSendOps.ATOMIC_WRITE
            | QpCreateSendOps.REG_MR
            | QpCreateSendOps.RDMA_READ_WITH_INV
            | QpCreateSendOps.MASKED_ATOMIC_CMP_AND_SWP
            | QpCreateSendOps.MASKED_ATOMIC_FETCH_AND_ADD;

    /** The supported send flags. */
    static final int FLAGS = SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.INLINE;

    private SendOps() {}

    /** Returns the operations that can be posted to queue pairs of a type, {@link QpCreateSendOps} bits. */
    public static long of(int qpType) {
        long datagrams = QpCreateSendOps.SEND | QpCreateSendOps.SEND_WITH_IMM | QpCreateSendOps.NOP;
        long unreliable =
                datagrams | QpCreateSendOps.RDMA_WRITE | QpCreateSendOps.RDMA_WRITE_WITH_IMM | QpCreateSendOps.BIND_MW;
        long reads =
                QpCreateSendOps.RDMA_READ | QpCreateSendOps.ATOMIC_CMP_AND_SWP | QpCreateSendOps.ATOMIC_FETCH_AND_ADD;
        long cross = QpCreateSendOps.CQE_WAIT | QpCreateSendOps.SEND_ENABLE | QpCreateSendOps.RECV_ENABLE;
        return switch (qpType) {
            case QpType.RC -> cross | unreliable | reads | RC_ALONE;
            case QpType.XRC_SEND -> unreliable | reads;
            case QpType.UC -> cross | unreliable;
            case QpType.UD -> cross | datagrams;
            default -> 0;
        };
    }

    /** Returns whether an opcode, which may be any number, is among {@link QpCreateSendOps} bits. */
    public static boolean isAmong(long ops, int opcode) {
        return (QpCreateSendOps.of(opcode) & ops) != 0;
    }

    /**
     * Returns whether type 2 windows can be bound on queue pairs of a type. They can't on the sending side of XRC,
     * through which no peer accesses memory.
     */
    static boolean bindsByRequest(int qpType) {
        return qpType == QpType.RC || qpType == QpType.UC;
    }
}
