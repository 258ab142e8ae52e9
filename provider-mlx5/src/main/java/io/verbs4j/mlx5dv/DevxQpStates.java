/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.QpState;

/** Maps commands to the queue pair state that they lead to. */
final class DevxQpStates {
    private DevxQpStates() {}

    /** Returns the {@link QpState}, or -1 if the command does not change the state. */
    static int after(int opcode) {
        return switch (opcode) {
            case DevxOpcode.RST2INIT_QP, DevxOpcode.INIT2INIT_QP -> QpState.INIT;
            case DevxOpcode.INIT2RTR_QP -> QpState.RTR;
            case DevxOpcode.RTR2RTS_QP, DevxOpcode.RTS2RTS_QP, DevxOpcode.SQERR2RTS_QP, DevxOpcode.SQD_RTS_QP ->
                QpState.RTS;
            case DevxOpcode.QP_2ERR -> QpState.ERR;
            case DevxOpcode.QP_2RST -> QpState.RESET;
            default -> -1;
        };
    }
}
