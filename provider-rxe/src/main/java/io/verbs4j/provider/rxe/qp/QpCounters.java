/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.CompCntrOps;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;

/** The completion counters of a queue pair, by operation. Changed with both locks held, used with either. */
final class QpCounters {
    /** Indexed by the bit number of {@link CompCntrOps}; null for an operation without a counter. */
    private final Counter[] ofOp = new Counter[Integer.SIZE];

    /** Attaches a counter to some operations, none of which has one yet: the library has checked that. */
    void attach(Counter counter, int ops) {
        for (int op = 0; op < ofOp.length; op++) {
            if ((ops >>> op & 1) != 0) {
                ofOp[op] = counter;
            }
        }
    }

    /** Counts a send request that has ended. */
    void sent(int wcOpcode, int status, int length) {
        switch (wcOpcode) {
            case WcOpcode.SEND -> count(CompCntrOps.SEND, status, length);
            case WcOpcode.RDMA_WRITE -> count(CompCntrOps.RDMA_WRITE, status, length);
            case WcOpcode.RDMA_READ -> count(CompCntrOps.RDMA_READ, status, length);
            default -> {
                // not counted
            }
        }
    }

    /** Counts an operation that has ended; {@code op} is one bit, {@code length} is unsigned. */
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
