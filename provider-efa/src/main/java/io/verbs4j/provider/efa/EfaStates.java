/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import io.verbs4j.rdmacore.StateChanges;

/**
 * The state changes of an SRD queue pair, as the kernel's driver allows them; the header's table does not know the
 * type.
 */
final class EfaStates {
    private static final int START = QpAttrMask.PKEY_INDEX | QpAttrMask.PORT | QpAttrMask.QKEY;
    private static final int RUNNING = QpAttrMask.CUR_STATE | QpAttrMask.QKEY;

    private static final StateChanges SRD = new StateChanges(
                    "an SRD queue pair", "it goes from RESET to INIT, RTR, RTS")
            .withEnds()
            .with(QpState.RESET, QpState.INIT, START, 0)
            .with(QpState.INIT, QpState.INIT, 0, START)
            .with(QpState.INIT, QpState.RTR, 0, QpAttrMask.PKEY_INDEX | QpAttrMask.QKEY)
            .with(QpState.RTR, QpState.RTS, QpAttrMask.SQ_PSN, RUNNING | QpAttrMask.RNR_RETRY)
            .with(QpState.RTS, QpState.RTS, 0, RUNNING)
            .with(QpState.RTS, QpState.SQD, 0, QpAttrMask.EN_SQD_ASYNC_NOTIFY)
            .with(QpState.SQD, QpState.RTS, 0, RUNNING)
            .with(QpState.SQD, QpState.SQD, 0, QpAttrMask.PKEY_INDEX | QpAttrMask.QKEY)
            .with(QpState.SQE, QpState.RTS, 0, RUNNING);

    private EfaStates() {}

    /** Describes what is wrong with a state change, or returns null if it is allowed. */
    static String check(int from, int to, int mask) {
        return SRD.check(from, to, mask);
    }
}
