/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.VerbsException;
import io.verbs4j.bulk.connect.RailPort;
import io.verbs4j.bulk.connect.RailQueuePair;
import io.verbs4j.bulk.transfer.RailId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The queue pairs of a connection's rails, and their ports. Any thread may use it. */
final class ConnectionRails {
    /** A port of this side and its device. */
    record Place(Adapter adapter, RailPort port) {
        /** Whether it can be used now. A device that does not answer counts as lost. */
        boolean isActive() {
            try {
                return !adapter.isLost() && port.isActive();
            } catch (VerbsException e) {
                boolean unused = adapter.isLost(e.errno());
                return false;
            }
        }
    }

    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    /** A rail; its queue pair is added later. */
    private static final class Entry {
        final RailId id;
        final Place place;
        RailQueuePair qp;

        Entry(RailId id, Place place) {
            this.id = id;
            this.place = place;
        }
    }

    private final Map<Integer, Entry> entries = new HashMap<>();
    private boolean ended;

    /** {@link io.verbs4j.bulk.strategy.Abilities} that the devices of rails need. */
    private volatile long needed;

    /** Sets the abilities that devices need, before the first rail is offered. */
    void needed(long abilities) {
        needed = abilities;
    }

    /** Whether a device supports the operations that the connection uses on rails. */
    boolean canUse(Adapter adapter) {
        return adapter.abilities().has(needed);
    }

    /**
     * Reserves a port for a rail.
     *
     * @return false if the connection has ended, the rail has a port already, or another rail has this port
     */
    synchronized boolean reserve(RailId id, Place place) {
        boolean taken = ended
                || entries.containsKey(id.rail())
                || entries.values().stream().anyMatch(entry -> entry.place.equals(place));
        if (!taken) {
            entries.put(id.rail(), new Entry(id, place));
        }
        return !taken;
    }

    /** Sets the queue pair of a rail. Returns whether the rail still has its port. */
    synchronized boolean made(RailId id, RailQueuePair qp) {
        Entry entry = find(id);
        if (entry != null) {
            entry.qp = qp;
        }
        return entry != null;
    }

    /** Frees the port of a rail whose queue pair could not be created. */
    synchronized void cancel(RailId id) {
        if (find(id) != null) {
            entries.remove(id.rail());
        }
    }

    private Entry find(RailId id) {
        Entry entry = entries.get(id.rail());
        return entry != null && entry.id.equals(id) ? entry : null;
    }

    /** Returns the queue pair of a rail, or null. */
    synchronized RailQueuePair queuePair(RailId id) {
        Entry entry = find(id);
        return entry == null ? null : entry.qp;
    }

    /** Returns the devices of all rails. */
    synchronized List<Adapter> adapters() {
        return entries.values().stream().map(entry -> entry.place.adapter()).toList();
    }

    /** Returns the device of a rail, or null. */
    synchronized Adapter adapter(RailId id) {
        Entry entry = find(id);
        return entry == null ? null : entry.place.adapter();
    }

    /** Closes the queue pair of a rail. */
    synchronized void close(RailId id) {
        Entry entry = find(id);
        if (entry != null) {
            entries.remove(id.rail());
            close(entry);
        }
    }

    /** Closes all queue pairs. */
    synchronized void closeAll() {
        List<Entry> all = new ArrayList<>(entries.values());
        entries.clear();
        all.forEach(ConnectionRails::close);
    }

    /** Closes all queue pairs and accepts no more. */
    synchronized void end() {
        ended = true;
        closeAll();
    }

    private static void close(Entry entry) {
        if (entry.qp != null) {
            try {
                entry.qp.close();
            } catch (VerbsException e) {
                LOG.log(System.Logger.Level.DEBUG, "a rail was closed with requests under way", e);
            }
            entry.place.adapter().unreserve();
        }
    }
}
