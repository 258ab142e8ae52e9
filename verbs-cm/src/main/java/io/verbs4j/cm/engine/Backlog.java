/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Gid;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The connections that a listener is making: requests that the program has not answered, and accepted ones that the
 * peer has not confirmed. Both cost memory that strangers ask for, so both count. Guarded by the engine.
 */
final class Backlog {
    /** How long a peer may take to confirm before others are let in for it, where they have less of the backlog. */
    static final long FAIR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Likewise, where they have as much. */
    static final long PATIENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int limit;
    private final Map<Gid, Integer> bySource = new HashMap<>();

    /** Since when; the oldest first. */
    private final Map<Connection, Long> unconfirmed = new LinkedHashMap<>();

    private int size;

    Backlog(int limit) {
        this.limit = limit;
    }

    /** A peer has asked. */
    void add(Gid source) {
        size++;
        bySource.merge(source, 1, Integer::sum);
    }

    /** The program has accepted. */
    void accepted(Connection c, long now) {
        unconfirmed.put(c, now);
    }

    boolean isUnconfirmed(Connection c) {
        return unconfirmed.containsKey(c);
    }

    /** The connection is there, or it is gone for good; null of datagrams. */
    void remove(Gid source, Connection c) {
        size--;
        bySource.computeIfPresent(source, (gid, count) -> count > 1 ? count - 1 : null);
        unconfirmed.remove(c);
    }

    boolean isFull() {
        return size >= limit;
    }

    /** The connection to be given up for a request of an address; null where that has to wait. */
    Connection victim(Gid source, long now) {
        int fair = bySource.getOrDefault(source, 0) + 1;
        for (Map.Entry<Connection, Long> one : unconfirmed.entrySet()) {
            long age = now - one.getValue();
            if (age < FAIR_NANOS) {
                return null;
            }
            if (age >= PATIENT_NANOS || bySource.getOrDefault(one.getKey().remoteGid, 0) > fair) {
                return one.getKey();
            }
        }
        return null;
    }
}
