/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.bulk.BulkEndpoint;
import java.util.ArrayDeque;
import java.util.Deque;

/** The lanes of an endpoint: created on demand up to a limit, and reused. Thread-safe. */
final class Lanes {
    private final BulkEndpoint endpoint;
    private final int most;
    private final Deque<Lane> free = new ArrayDeque<>();
    private int made;

    Lanes(BulkEndpoint endpoint, int most) {
        this.endpoint = endpoint;
        this.most = most;
    }

    /**
     * Takes a lane.
     *
     * @return a lane, or null if all are taken
     * @throws io.verbs4j.VerbsException if a lane can't be created; the next call tries again
     */
    synchronized Lane take() {
        Lane lane = free.poll();
        if (lane == null && made < most) {
            lane = Lane.of(endpoint);
            made++;
        }
        return lane;
    }

    /** {@return whether all lanes are taken} */
    synchronized boolean areTaken() {
        return free.isEmpty() && made == most;
    }

    /**
     * Returns a lane.
     *
     * @param reusable whether none of its operations are in flight; otherwise a new lane may replace it
     */
    synchronized void give(Lane lane, boolean reusable) {
        if (reusable) {
            free.add(lane);
        } else {
            made--;
        }
    }
}
