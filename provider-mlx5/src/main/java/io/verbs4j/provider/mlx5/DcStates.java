/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.rdmacore.StateChanges;

/** The state tables of the two ends of DC, as in the kernel's driver; the header's table contains neither. */
final class DcStates {
    private static final int START = QpAttrMask.PKEY_INDEX | QpAttrMask.PORT;
    private static final int REQUESTER = QpAttrMask.TIMEOUT
            | QpAttrMask.RETRY_CNT
            | QpAttrMask.RNR_RETRY
            | QpAttrMask.MAX_QP_RD_ATOMIC
            | QpAttrMask.SQ_PSN;

    private static final StateChanges TARGET = new StateChanges(
                    "a DC target", "it goes from RESET to INIT and RTR, and is closed")
            .with(QpState.RESET, QpState.INIT, START | QpAttrMask.ACCESS_FLAGS, 0)
            .with(QpState.INIT, QpState.RTR, QpAttrMask.MIN_RNR_TIMER | QpAttrMask.AV | QpAttrMask.PATH_MTU, 0);

    private static final StateChanges INITIATOR = new StateChanges(
                    "a DC initiator", "it goes from RESET to INIT, RTR, RTS")
            .withEnds()
            .with(QpState.RESET, QpState.INIT, START, 0)
            .with(QpState.INIT, QpState.INIT, 0, START)
            .with(QpState.INIT, QpState.RTR, QpAttrMask.PATH_MTU, QpAttrMask.PKEY_INDEX | QpAttrMask.AV)
            .with(QpState.RTR, QpState.RTS, REQUESTER, QpAttrMask.MIN_RNR_TIMER)
            .with(QpState.RTS, QpState.RTS, 0, QpAttrMask.MIN_RNR_TIMER);

    private DcStates() {}

    /** Returns null if a change is allowed, otherwise the reason why it is not. */
    static String check(boolean target, int from, int to, int mask) {
        return (target ? TARGET : INITIATOR).check(from, to, mask);
    }
}
