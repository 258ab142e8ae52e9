/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.CompCntrOps;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;

/** The completion counters of a queue pair, by operation. Changed with both locks held, used with either. */
final class QpCounters {
    /** Indexed by the bit of {@link CompCntrOps}; null where there is none. */
    private final Counter[] ofOp = new Counter[Integer.SIZE];

    /** Attaches one for some operations, which have none: the library has seen to that. */
    void attach(Counter counter, int ops) {
        for (int op = 0; op < ofOp.length; op++) {
            if ((ops >>> op & 1) != 0) {
                ofOp[op] = counter;
            }
        }
    }

    /** A request of the send queue has ended. */
    void sent(int wcOpcode, int status, int length) {
        switch (wcOpcode) {
            case WcOpcode.SEND -> count(CompCntrOps.SEND, status, length);
            case WcOpcode.RDMA_WRITE -> count(CompCntrOps.RDMA_WRITE, status, length);
            case WcOpcode.RDMA_READ -> count(CompCntrOps.RDMA_READ, status, length);
            default -> {
                // counted by none
            }
        }
    }

    /** Something has ended, of so many bytes, unsigned. {@code op} is one bit. */
    void count(int op, int status, int length) {
        Counter counter = ofOp[Integer.numberOfTrailingZeros(op)];
        if (counter != null) {
            if (status == WcStatus.SUCCESS) {
                counter.done(Integer.toUnsignedLong(length));
            } else {
                counter.failed();
            }
        }
    }
}
