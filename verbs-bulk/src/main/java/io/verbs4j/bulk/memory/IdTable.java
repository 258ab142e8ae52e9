/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * Windows by their identifiers: a hash table that allocates only when it grows.
 *
 * @param <W> type of the windows
 */
public final class IdTable<W extends IdTable.Entry> {
    /** An object with an identifier, in at most one table. */
    public abstract static class Entry {
        private final long id;
        private Entry next;

        Entry(long id) {
            this.id = id;
        }

        public final long id() {
            return id;
        }
    }

    private static final int FIRST_ROOM = 16;
    private static final long MIX = 0x9e37_79b9_7f4a_7c15L;

    private Entry[] table = new Entry[FIRST_ROOM];
    private int size;

    private int place(long id) {
        return (int) (id * MIX >>> 32) & table.length - 1;
    }

    /** Returns the window, or null. */
    @SuppressWarnings("unchecked") // only entries of this type are added
    public W find(long id) {
        Entry window = table[place(id)];
        while (window != null && window.id != id) {
            window = window.next;
        }
        return (W) window;
    }

    /** Adds a window that {@link #find} has not found. */
    public void add(W window) {
        if (size == table.length) {
            grow();
        }
        put(window);
        size++;
    }

    private void put(Entry window) {
        int place = place(window.id);
        window.next = table[place];
        table[place] = window;
    }

    private void grow() {
        Entry[] old = table;
        table = new Entry[old.length * 2];
        for (Entry chain : old) {
            Entry window = chain;
            while (window != null) {
                Entry next = window.next;
                put(window);
                window = next;
            }
        }
    }

    /** Removes a window. Returns whether it was there. */
    public boolean remove(W window) {
        int place = place(window.id());
        if (table[place] == window) {
            table[place] = next(window);
            size--;
            return true;
        }
        for (Entry before = table[place]; before != null; before = before.next) {
            if (before.next == window) {
                before.next = next(window);
                size--;
                return true;
            }
        }
        return false;
    }

    private static Entry next(Entry window) {
        return window.next;
    }

    /** Returns all windows, in no order. */
    @SuppressWarnings("unchecked") // only entries of this type are added
    public List<W> all() {
        List<W> all = new ArrayList<>(size);
        for (Entry chain : table) {
            for (Entry window = chain; window != null; window = window.next) {
                all.add((W) window);
            }
        }
        return all;
    }
}
