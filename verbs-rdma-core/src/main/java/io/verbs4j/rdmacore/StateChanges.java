/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import java.util.HashMap;
import java.util.Map;

/** State changes of a vendor's own queue pair type, which the header's table does not contain. */
public final class StateChanges {
    /** Attributes that a change requires and may have. */
    private record Change(int must, int may) {}

    private final String who;
    private final String way;
    private final Map<Integer, Change> changes = new HashMap<>();

    /**
     * Creates an empty table.
     *
     * @param who what changes its state, for messages
     * @param way the valid sequence of states, for messages
     */
    public StateChanges(String who, String way) {
        this.who = who;
        this.way = way;
    }

    /** Adds a change, with {@link QpAttrMask} bits apart from the state. */
    public StateChanges with(int from, int to, int must, int may) {
        changes.put(key(from, to), new Change(must, may));
        return this;
    }

    /** Adds the changes from any state to RESET and from any other state to ERR, which take no attributes. */
    public StateChanges withEnds() {
        for (int from = QpState.RESET; from <= QpState.ERR; from++) {
            with(from, QpState.RESET, 0, 0);
            if (from != QpState.RESET) {
                with(from, QpState.ERR, 0, 0);
            }
        }
        return this;
    }

    private static int key(int from, int to) {
        return from << 8 | to;
    }

    /**
     * Checks a change.
     *
     * @param mask {@link QpAttrMask} bits
     * @return null if it is valid, otherwise what is wrong with it
     */
    public String check(int from, int to, int mask) {
        String what = who + ", " + QpState.toString(from) + " to " + QpState.toString(to);
        Change change = changes.get(key(from, to));
        if (change == null) {
            return what + " is not allowed; " + way;
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
