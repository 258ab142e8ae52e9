/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.Gid;
import io.verbs4j.QpState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The library's record of a queue pair. The fields are used between {@link #enterChange} and {@link #leaveChange} only.
 */
final class QueuePairState extends ObjectState {
    /** A multicast group. */
    record Group(Gid gid, int lid) {}

    private final Set<Group> groups = new HashSet<>();

    /** The state after the last modify; the queue pair may have left it by itself. */
    private int lastState = QpState.RESET;

    /** The operations with a completion counter, {@link io.verbs4j.CompCntrOps} bits. */
    private int countedOps;

    QueuePairState(LibraryContext owner, List<ObjectState> parents) {
        super(owner, Kind.QP, parents);
    }

    Set<Group> groups() {
        return groups;
    }

    int lastState() {
        return lastState;
    }

    void lastState(int state) {
        lastState = state;
    }

    int countedOps() {
        return countedOps;
    }

    void countedOps(int ops) {
        countedOps = ops;
    }
}
