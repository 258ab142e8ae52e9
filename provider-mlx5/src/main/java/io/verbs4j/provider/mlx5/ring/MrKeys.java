/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.rdmacore.memory.KeyTable;

/**
 * The keys of a context that work requests register memory with, by their numbers. Lookups take no lock and do not
 * allocate.
 */
public final class MrKeys {
    private static final class Entry extends KeyTable.Entry<Entry> {
        private final MrKey value;

        Entry(int index, MrKey value, Entry next) {
            super(index, value, next);
            this.value = value;
        }

        @Override
        protected Entry before(Entry other) {
            return new Entry(key(), value, other);
        }
    }

    private final KeyTable<Entry> table = new KeyTable<>();

    MrKeys() {}

    private static int index(int key) {
        return key >>> Byte.SIZE;
    }

    /** Adds a key. */
    public void add(MrKey key) {
        table.add(new Entry(index(key.key()), key, null));
    }

    /** Removes a key that was destroyed. */
    public void remove(MrKey key) {
        table.remove(index(key.key()), key);
    }

    /** Returns the key that a number belongs to, regardless of its lowest bits, or null. */
    MrKey find(int key) {
        Entry found = table.find(index(key));
        return found == null ? null : found.value;
    }

    /** Copies bytes as {@link MrKey#put} does; returns false if there is no such key. */
    boolean put(Scatter to, int lkey, long addr, long from, int length) {
        MrKey found = find(lkey);
        return found != null && found.put(to, lkey, addr, from, length);
    }

    /** Records that the peer has invalidated a key. */
    void takenBack(int rkey) {
        MrKey found = find(rkey);
        if (found != null) {
            found.takenBack(rkey);
        }
    }
}
