/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The connections of an event loop, by the numbers that completions carry. Belongs to the loop's thread. */
final class LinkTable {
    private static final int NUMBER_BITS = 5;

    private final IntObjectHashMap<Link> byQueuePair = new IntObjectHashMap<>();
    private final List<Link> byIndex = new ArrayList<>();
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /** {@return an index for a connection, reserved until {@link #remove} or {@link #release}} */
    int reserve(Link link) {
        Integer index = free.pollLast();
        if (index == null) {
            byIndex.add(link);
            return byIndex.size() - 1;
        }
        byIndex.set(index, link);
        return index;
    }

    void add(int qpNum, Link link) {
        byQueuePair.put(qpNum, link);
    }

    void remove(int index, int qpNum) {
        release(index);
        byQueuePair.remove(qpNum);
    }

    void release(int index) {
        byIndex.set(index, null);
        free.addLast(index);
    }

    Link ofQueuePair(int qpNum) {
        return byQueuePair.get(qpNum);
    }

    /** Returns the connection that a request number belongs to, or null. */
    Link ofRequest(long wrId) {
        return byIndex.get((int) (wrId >>> NUMBER_BITS));
    }

    /** Returns the number of a request within its connection. */
    static int number(long wrId) {
        return (int) wrId & ((1 << NUMBER_BITS) - 1);
    }

    /** Returns the first request number of the connection at an index. */
    static long firstId(int index) {
        return (long) index << NUMBER_BITS;
    }

    int size() {
        return byQueuePair.size();
    }

    Collection<Link> all() {
        return List.copyOf(byQueuePair.values());
    }
}
