/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Connections by number. Numbers are never reused. Any thread may add; the engine looks up without a lock. */
public final class LinkTable {
    private static final int FIRST_ROOM = 16;

    private volatile Link[] table = new Link[FIRST_ROOM];
    private int next;

    /** Reserves a number. */
    public synchronized int reserve() {
        if (next == Integer.MAX_VALUE) {
            throw new IllegalStateException("no numbers left for connections: open another endpoint");
        }
        return next++;
    }

    /** Adds a connection. */
    public synchronized void add(Link link) {
        Link[] all = table;
        Link[] copy = Arrays.copyOf(all, Math.max(all.length, Integer.highestOneBit(link.id()) * 2));
        copy[link.id()] = link;
        table = copy;
    }

    /** Returns the connection, or null if there is none with this number any more. */
    public Link find(int id) {
        Link[] all = table;
        return id >= 0 && id < all.length ? all[id] : null;
    }

    /** Whether there was a connection with this number. */
    synchronized boolean wasThere(int id) {
        return id >= 0 && id < next;
    }

    /** Removes a connection. */
    public synchronized void remove(int id) {
        Link[] copy = table.clone();
        copy[id] = null;
        table = copy;
    }

    /** Whether there are no connections. */
    public boolean isEmpty() {
        for (Link link : table) {
            if (link != null) {
                return false;
            }
        }
        return true;
    }

    /** Returns all connections. */
    public List<Link> all() {
        List<Link> links = new ArrayList<>();
        for (Link link : table) {
            if (link != null) {
                links.add(link);
            }
        }
        return links;
    }
}
