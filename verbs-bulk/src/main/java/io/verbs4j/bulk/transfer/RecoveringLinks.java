/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import java.util.ArrayList;
import java.util.List;

/** Connections without a queue pair, until they have one again or are given up. */
final class RecoveringLinks {
    private final List<Link> links = new ArrayList<>();

    boolean isEmpty() {
        return links.isEmpty();
    }

    void add(Link link) {
        if (!links.contains(link)) {
            links.add(link);
        }
    }

    /** Gives up connections whose time is over, with an errno. Returns whether there were any. */
    boolean expire(long now, int errno) {
        boolean any = false;
        for (int i = links.size() - 1; i >= 0; i--) {
            Link link = links.get(i);
            if (link.state().isRecovering() && link.recovery().policy().left(now) <= 0) {
                link.fail(errno);
                any = true;
            }
            if (!link.state().isRecovering()) {
                links.remove(i);
            }
        }
        return any;
    }

    /** Returns the nanoseconds until the next one must be checked, at most {@code most}. */
    long untilNext(long now, long most) {
        long least = most;
        for (Link link : links) {
            least = Math.min(least, Math.max(0, link.recovery().policy().left(now)));
        }
        return least;
    }
}
