/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import java.util.ArrayList;
import java.util.List;

/** Connections whose peers must report that a rail is closed; until then, its bytes can't be posted again. */
final class UnansweredRails {
    private final List<Link> links = new ArrayList<>();

    boolean isEmpty() {
        return links.isEmpty();
    }

    void add(Link link) {
        if (!links.contains(link)) {
            links.add(link);
        }
    }

    /** Gives up connections whose peers are late: they are lost, and recovered if both sides want that. */
    boolean expire(long now) {
        boolean any = false;
        for (int i = links.size() - 1; i >= 0; i--) {
            Link link = links.get(i);
            long left = link.rails.setup().patience(now);
            if (left <= 0) {
                link.lose(Errno.ECONNRESET);
                any = true;
            }
            if (left <= 0 || left == Long.MAX_VALUE) {
                links.remove(i);
            }
        }
        return any;
    }

    /** Returns the nanoseconds until the next one must be checked, at most {@code most}. */
    long untilNext(long now, long most) {
        long least = most;
        for (Link link : links) {
            least = Math.min(least, Math.max(0, link.rails.setup().patience(now)));
        }
        return least;
    }
}
