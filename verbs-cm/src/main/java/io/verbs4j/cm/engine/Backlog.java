/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Gid;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The connections that a listener is establishing: requests that the program has not answered, and accepted ones that
 * the peer has not confirmed. Both count, because both cost memory at the request of strangers. Guarded by the engine.
 */
final class Backlog {
    /** How long a peer has to confirm before it must make room for an address with a smaller share of the backlog. */
    static final long FAIR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The same for an address with at least an equal share. */
    static final long PATIENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int limit;
    private final Map<Gid, Integer> bySource = new HashMap<>();

    /** Start times, the oldest first. */
    private final Map<Connection, Long> unconfirmed = new LinkedHashMap<>();

    private int size;

    Backlog(int limit) {
        this.limit = limit;
    }

    /** Counts a request of a peer. */
    void add(Gid source) {
        size++;
        bySource.merge(source, 1, Integer::sum);
    }

    /** Called when the program has accepted. */
    void accepted(Connection c, long now) {
        unconfirmed.put(c, now);
    }

    boolean isUnconfirmed(Connection c) {
        return unconfirmed.containsKey(c);
    }

    /** Called when the connection is established or has failed; null for datagrams. */
    void remove(Gid source, Connection c) {
        size--;
        bySource.computeIfPresent(source, (gid, count) -> count > 1 ? count - 1 : null);
        unconfirmed.remove(c);
    }

    boolean isFull() {
        return size >= limit;
    }

    /** Returns the connection to give up for a request from an address, or null if the request must wait. */
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
