/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.rdmacore.StateChanges;

/** The states of the two ends of DC, as the kernel's driver has them; the header's table knows neither. */
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

    /** Null if a change is fine, else what is wrong with it. */
    static String check(boolean target, int from, int to, int mask) {
        return (target ? TARGET : INITIATOR).check(from, to, mask);
    }
}
