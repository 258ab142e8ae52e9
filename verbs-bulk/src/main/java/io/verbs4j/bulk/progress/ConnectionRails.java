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
    /** A port of this side's, and the device that has it. */
    record Place(Adapter adapter, RailPort port) {
        /** Whether it can be used now. A device that does not answer is lost. */
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

    /** What a rail has; its queue pair comes later. */
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

    /** Changes what devices need; before the first rail is offered. */
    void needed(long abilities) {
        needed = abilities;
    }

    /** Whether a device can do what the connection does by rails. */
    boolean canUse(Adapter adapter) {
        return adapter.abilities().has(needed);
    }

    /**
     * A rail takes a port.
     *
     * @return whether it may: the connection has not ended, the rail has none, and no other rail has this one
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

    /** Its queue pair is made. Returns whether the rail still has its port. */
    synchronized boolean made(RailId id, RailQueuePair qp) {
        Entry entry = find(id);
        if (entry != null) {
            entry.qp = qp;
        }
        return entry != null;
    }

    /** None could be made. */
    synchronized void cancel(RailId id) {
        if (find(id) != null) {
            entries.remove(id.rail());
        }
    }

    private Entry find(RailId id) {
        Entry entry = entries.get(id.rail());
        return entry != null && entry.id.equals(id) ? entry : null;
    }

    /** The queue pair of a rail, or null. */
    synchronized RailQueuePair queuePair(RailId id) {
        Entry entry = find(id);
        return entry == null ? null : entry.qp;
    }

    /** Devices of queue pairs that there are. */
    synchronized List<Adapter> adapters() {
        return entries.values().stream().map(entry -> entry.place.adapter()).toList();
    }

    /** The device of a rail, or null. */
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

    /** Closes all. */
    synchronized void closeAll() {
        List<Entry> all = new ArrayList<>(entries.values());
        entries.clear();
        all.forEach(ConnectionRails::close);
    }

    /** Closes all, and takes no more. */
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
