/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.bulk.BulkEndpoint;
import java.util.ArrayDeque;
import java.util.Deque;

/** The lanes of an endpoint: made when they are needed, up to a limit, and used again. Any thread may take one. */
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
     * @return null where all are taken
     * @throws io.verbs4j.VerbsException where one can't be made; the next call tries again
     */
    synchronized Lane take() {
        Lane lane = free.poll();
        if (lane == null && made < most) {
            lane = Lane.of(endpoint);
            made++;
        }
        return lane;
    }

    /**
     * Gives a lane back.
     *
     * @param reusable whether nothing of it is under way; otherwise another one is made in its place
     */
    synchronized void give(Lane lane, boolean reusable) {
        if (reusable) {
            free.add(lane);
        } else {
            made--;
        }
    }
}
