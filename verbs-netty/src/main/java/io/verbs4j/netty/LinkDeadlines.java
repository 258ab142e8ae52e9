/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Connections with a deadline, which are checked periodically. Belongs to the loop's thread. */
final class LinkDeadlines {
    /** Interval between checks while there are such connections. */
    static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final List<Link> links = new ArrayList<>();
    private long nextLook = System.nanoTime();

    void add(Link link) {
        links.add(link);
    }

    boolean isEmpty() {
        return links.isEmpty();
    }

    /** Advances the connections whose deadline has passed. */
    void look() {
        if (links.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        if (now - nextLook < 0) {
            return;
        }
        nextLook = now + LOOK_NANOS;
        List<Link> looked = List.copyOf(links);
        links.clear();
        for (Link link : looked) {
            if (!link.isOver(now)) {
                links.add(link);
            }
        }
    }
}
