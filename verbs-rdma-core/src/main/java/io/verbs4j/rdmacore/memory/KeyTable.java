/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A table of objects by the numbers that a device assigned. Lookups take no lock and allocate nothing.
 *
 * <p>A device may reuse a number before the object that had it is removed here. A number may therefore occur twice;
 * lookups find the newest entry first, and an entry is removed by its owner, not by number alone.
 *
 * @param <E> the entries
 */
public final class KeyTable<E extends KeyTable.Entry<E>> {
    /**
     * An immutable entry. To move in its chain, it is replaced by a copy.
     *
     * @param <E> its own type
     */
    public abstract static class Entry<E extends Entry<E>> {
        private final int key;
        private final Object owner;
        private final E next;

        /** Creates an entry of {@code owner}, in front of another entry or null. */
        protected Entry(int key, Object owner, E next) {
            this.key = key;
            this.owner = owner;
            this.next = next;
        }

        /** {@return its number} */
        public final int key() {
            return key;
        }

        /** {@return its owner} */
        public final Object owner() {
            return owner;
        }

        /** {@return the next entry with the same number, or null} */
        public final E nextOfKey() {
            E e = next;
            while (e != null && e.key() != key) {
                e = e.next();
            }
            return e;
        }

        final E next() {
            return next;
        }

        /** {@return a copy in front of another entry or null} */
        protected abstract E before(E other);
    }

    private static final int FIRST_SIZE = 64;
    private static final int GROWTH = 4;

    private volatile AtomicReferenceArray<E> buckets = new AtomicReferenceArray<>(FIRST_SIZE);
    private int size;

    /** Creates an empty table. */
    public KeyTable() {}

    /** {@return the newest entry with a number, or null} */
    public E find(int key) {
        AtomicReferenceArray<E> b = buckets;
        E e = b.get(index(b, key));
        while (e != null && e.key() != key) {
            e = e.next();
        }
        return e;
    }

    /** Adds a copy of an entry. */
    public synchronized void add(E entry) {
        if (++size > buckets.length()) {
            grow();
        }
        push(buckets, entry);
    }

    /** Removes the entry with a number and an owner, if any. */
    public synchronized void remove(int key, Object owner) {
        AtomicReferenceArray<E> b = buckets;
        int at = index(b, key);
        List<E> old = oldestFirst(b.get(at));
        E kept = null;
        for (E e : old) {
            if (e.key() == key && e.owner() == owner) {
                size--;
            } else {
                kept = e.before(kept);
            }
        }
        b.set(at, kept);
    }

    private void grow() {
        AtomicReferenceArray<E> larger = new AtomicReferenceArray<>(buckets.length() * GROWTH);
        for (int i = 0; i < buckets.length(); i++) {
            oldestFirst(buckets.get(i)).forEach(e -> push(larger, e));
        }
        buckets = larger;
    }

    private static <E extends Entry<E>> void push(AtomicReferenceArray<E> b, E entry) {
        int at = index(b, entry.key());
        b.set(at, entry.before(b.get(at)));
    }

    private static <E extends Entry<E>> List<E> oldestFirst(E newest) {
        List<E> list = new ArrayList<>();
        for (E e = newest; e != null; e = e.next()) {
            list.add(0, e);
        }
        return list;
    }

    /** Spreads numbers that come in order or in steps: the upper bits of the product depend on all of theirs. */
    private static int index(AtomicReferenceArray<?> b, int key) {
        int h = key * 0x9e3779b9;
        return (h ^ h >>> 16) & b.length() - 1;
    }
}
