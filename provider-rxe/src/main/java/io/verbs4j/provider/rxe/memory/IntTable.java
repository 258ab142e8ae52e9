/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * Objects by a 32-bit number. Looking up takes no lock and allocates nothing; changes are made one at a time.
 *
 * @param <T> kind of object
 */
public final class IntTable<T> {
    private record Node<T>(int key, T value, Node<T> next) {}

    private volatile AtomicReferenceArray<Node<T>> buckets = new AtomicReferenceArray<>(64);
    private int size;

    /** The object of a number, or null. */
    public T get(int key) {
        AtomicReferenceArray<Node<T>> b = buckets;
        for (Node<T> n = b.get(mix(key) & b.length() - 1); n != null; n = n.next) {
            if (n.key == key) {
                return n.value;
            }
        }
        return null;
    }

    /** Adds an object where the number is free; tells whether it was. */
    public synchronized boolean putIfAbsent(int key, T value) {
        if (get(key) != null) {
            return false;
        }
        if (size >= buckets.length()) {
            grow();
        }
        insert(buckets, key, value);
        size++;
        return true;
    }

    /** Removes what a number stands for. */
    public synchronized void remove(int key) {
        if (get(key) == null) {
            return;
        }
        int i = mix(key) & buckets.length() - 1;
        Node<T> kept = null;
        for (Node<T> n = buckets.get(i); n != null; n = n.next) {
            if (n.key != key) {
                kept = new Node<>(n.key, n.value, kept);
            }
        }
        buckets.set(i, kept);
        size--;
    }

    /** How many there are. */
    public synchronized int size() {
        return size;
    }

    /** Visits the objects there are: one that comes or goes meanwhile is visited or is not. Takes no lock and no memory. */
    public void forEach(Consumer<? super T> visitor) {
        AtomicReferenceArray<Node<T>> b = buckets;
        for (int i = 0; i < b.length(); i++) {
            for (Node<T> n = b.get(i); n != null; n = n.next) {
                visitor.accept(n.value);
            }
        }
    }

    private void grow() {
        AtomicReferenceArray<Node<T>> larger = new AtomicReferenceArray<>(buckets.length() * 4);
        for (int i = 0; i < buckets.length(); i++) {
            for (Node<T> n = buckets.get(i); n != null; n = n.next) {
                insert(larger, n.key, n.value);
            }
        }
        buckets = larger;
    }

    private static <T> void insert(AtomicReferenceArray<Node<T>> into, int key, T value) {
        int i = mix(key) & into.length() - 1;
        into.set(i, new Node<>(key, value, into.get(i)));
    }

    private static int mix(int key) {
        int h = key * 0x9e3779b9;
        return h ^ h >>> 16;
    }
}
