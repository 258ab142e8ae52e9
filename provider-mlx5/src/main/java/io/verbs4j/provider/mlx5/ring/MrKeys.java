/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.rdmacore.memory.KeyTable;

/** The keys of a context that work requests give memory to, by their numbers. Looking up takes no lock and allocates nothing. */
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

    /** Adds one. */
    public void add(MrKey key) {
        table.add(new Entry(index(key.key()), key, null));
    }

    /** Removes one, which is no more. */
    public void remove(MrKey key) {
        table.remove(index(key.key()), key);
    }

    /** The one that a key is of, whatever its lowest bits are; null where it is of none. */
    MrKey find(int key) {
        Entry found = table.find(index(key));
        return found == null ? null : found.value;
    }

    /** As {@link MrKey#put}; false where the key is of none. */
    boolean put(Scatter to, int lkey, long addr, long from, int length) {
        MrKey found = find(lkey);
        return found != null && found.put(to, lkey, addr, from, length);
    }

    /** The peer has taken back what a key allows. */
    void takenBack(int rkey) {
        MrKey found = find(rkey);
        if (found != null) {
            found.takenBack(rkey);
        }
    }
}
