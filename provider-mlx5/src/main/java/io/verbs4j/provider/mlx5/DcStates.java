/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import java.util.Map;

/** The states of the two ends of DC, as the kernel's driver has them; the header's table knows neither. */
final class DcStates {
    private static final int START = QpAttrMask.PKEY_INDEX | QpAttrMask.PORT;
    private static final int REQUESTER = QpAttrMask.TIMEOUT
            | QpAttrMask.RETRY_CNT
            | QpAttrMask.RNR_RETRY
            | QpAttrMask.MAX_QP_RD_ATOMIC
            | QpAttrMask.SQ_PSN;

    /** Attributes that a change must and may come with. */
    private record Change(int must, int may) {}

    private static final Map<Integer, Change> TARGET = Map.of(
            change(QpState.RESET, QpState.INIT), new Change(START | QpAttrMask.ACCESS_FLAGS, 0),
            change(QpState.INIT, QpState.RTR),
                    new Change(QpAttrMask.MIN_RNR_TIMER | QpAttrMask.AV | QpAttrMask.PATH_MTU, 0));

    private static final Map<Integer, Change> INITIATOR = Map.of(
            change(QpState.RESET, QpState.INIT), new Change(START, 0),
            change(QpState.INIT, QpState.INIT), new Change(0, START),
            change(QpState.INIT, QpState.RTR), new Change(QpAttrMask.PATH_MTU, QpAttrMask.PKEY_INDEX | QpAttrMask.AV),
            change(QpState.RTR, QpState.RTS), new Change(REQUESTER, QpAttrMask.MIN_RNR_TIMER),
            change(QpState.RTS, QpState.RTS), new Change(0, QpAttrMask.MIN_RNR_TIMER));

    private DcStates() {}

    private static int change(int from, int to) {
        return from << 8 | to;
    }

    /** Null if a change is fine, else what is wrong with it. */
    static String check(boolean target, int from, int to, int mask) {
        String what = (target ? "a DC target" : "a DC initiator") + ", " + QpState.toString(from) + " to "
                + QpState.toString(to);
        Change change = (target ? TARGET : INITIATOR).get(change(from, to));
        if (change == null && !target && (to == QpState.RESET || to == QpState.ERR && from != QpState.RESET)) {
            change = new Change(0, 0);
        }
        if (change == null) {
            return what + ": there is no such change; "
                    + (target
                            ? "it goes from RESET to INIT and RTR, and is closed"
                            : "it goes from RESET to INIT, RTR, RTS");
        }
        int given = mask & ~QpAttrMask.STATE;
        int missing = change.must() & ~given;
        int surplus = given & ~(change.must() | change.may());
        if (missing != 0) {
            return what + " needs " + QpAttrMask.toString(change.must()) + "; missing " + QpAttrMask.toString(missing);
        }
        return surplus == 0
                ? null
                : what + " takes only " + QpAttrMask.toString(change.must() | change.may()) + "; surplus "
                        + QpAttrMask.toString(surplus);
    }
}
