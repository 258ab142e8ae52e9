/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.QpAttrMask;
import io.verbs4j.QpState;
import java.util.HashMap;
import java.util.Map;

/** The changes of state of a type of queue pairs that is a vendor's own, which the header's table does not know. */
public final class StateChanges {
    /** Attributes that a change must and may come with. */
    private record Change(int must, int may) {}

    private final String who;
    private final String way;
    private final Map<Integer, Change> changes = new HashMap<>();

    /**
     * None yet.
     *
     * @param who what changes, for messages
     * @param way which way it goes, for messages
     */
    public StateChanges(String who, String way) {
        this.who = who;
        this.way = way;
    }

    /** Adds a change, with {@link QpAttrMask} bits besides the state. */
    public StateChanges with(int from, int to, int must, int may) {
        changes.put(key(from, to), new Change(must, may));
        return this;
    }

    /** Adds the changes from any state to RESET, and from all others to ERR, which take nothing. */
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
     * Looks at a change.
     *
     * @param mask {@link QpAttrMask} bits
     * @return null if it is fine, else what is wrong with it
     */
    public String check(int from, int to, int mask) {
        String what = who + ", " + QpState.toString(from) + " to " + QpState.toString(to);
        Change change = changes.get(key(from, to));
        if (change == null) {
            return what + ": there is no such change; " + way;
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
