/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.strategy.Posts;

/** A queue pair of a rail. */
final class RailLane extends Lane {
    private static final int TAG = 16; // shift

    private final DeviceLoad load;
    private final Posts posts;
    private final int rail;
    private final long firstId;

    RailLane(Link link, RailId id, Posts posts, DeviceLoad load) {
        super(new PostedQueue(link.limits.sendDepth()));
        this.load = load;
        this.posts = posts;
        rail = id.rail();
        firstId = link.requestId(id.tag() << TAG | rail << PostedQueue.NUMBER_BITS);
    }

    /** Returns the rail that the low half of a request's identifier names; 0 for the connection's own queue pair. */
    static int railOf(int number) {
        return number >>> PostedQueue.NUMBER_BITS & 0xf;
    }

    /** Whether the low half of an identifier belongs to a request to this queue pair. */
    static boolean isOf(RailId id, int number) {
        return number >>> TAG == id.tag();
    }

    @Override
    DeviceLoad load() {
        return load;
    }

    @Override
    Posts posts() {
        return posts;
    }

    @Override
    long nextWrId() {
        return firstId | posted.next() & PostedQueue.NUMBER_MASK;
    }

    @Override
    int remoteKey(Transfer transfer) {
        return transfer.railKeys().get(rail);
    }
}
