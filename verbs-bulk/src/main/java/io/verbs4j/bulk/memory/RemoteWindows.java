/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

/** The windows of a peer that were asked for, by their ids: a hash table that allocates for new windows only. */
public final class RemoteWindows {
    private static final int FIRST_ROOM = 16;
    private static final long MIX = 0x9e37_79b9_7f4a_7c15L;

    private RemoteWindow[] table = new RemoteWindow[FIRST_ROOM];
    private int size;

    private int place(long id) {
        return (int) (id * MIX >>> 32) & table.length - 1;
    }

    /** The window, or null. */
    public RemoteWindow find(long id) {
        RemoteWindow window = table[place(id)];
        while (window != null && window.id != id) {
            window = window.next;
        }
        return window;
    }

    /** Adds one that {@link #find} has not found. */
    public RemoteWindow add(long id) {
        if (size == table.length) {
            grow();
        }
        RemoteWindow window = new RemoteWindow(id);
        put(window);
        size++;
        return window;
    }

    private void put(RemoteWindow window) {
        int place = place(window.id);
        window.next = table[place];
        table[place] = window;
    }

    private void grow() {
        RemoteWindow[] old = table;
        table = new RemoteWindow[old.length * 2];
        for (RemoteWindow chain : old) {
            RemoteWindow window = chain;
            while (window != null) {
                RemoteWindow next = window.next;
                put(window);
                window = next;
            }
        }
    }

    /** Forgets one. */
    public void remove(RemoteWindow window) {
        int place = place(window.id);
        if (table[place] == window) {
            table[place] = window.next;
            size--;
            return;
        }
        for (RemoteWindow before = table[place]; before != null; before = before.next) {
            if (before.next == window) {
                before.next = window.next;
                size--;
                return;
            }
        }
    }
}
