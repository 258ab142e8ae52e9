/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.WrOpcode;

/** Properties of the operations of a send queue. */
final class Operations {
    private Operations() {}

    /** Whether an operation sends data, so that the data can be copied when it is posted. */
    static boolean canInline(int opcode) {
        return opcode == WrOpcode.SEND
                || opcode == WrOpcode.SEND_WITH_IMM
                || opcode == WrOpcode.RDMA_WRITE
                || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    }
}
