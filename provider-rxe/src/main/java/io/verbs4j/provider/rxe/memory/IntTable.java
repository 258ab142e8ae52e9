/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import java.util.function.Consumer;

/**
 * A table of objects by 32-bit number. Lookups take no lock and allocate nothing; updates are serialized.
 *
 * @param <T> kind of object
 */
public final class IntTable<T> {
    /** Immutable, so that a reader that reaches a node sees all of it. */
    private record Node<T>(int key, T value, Node<T> next) {}

    /**
     * After each change to the array's contents this field is set again, to the same array: a thread that reads it from
     * then on sees the change. Not an {@code AtomicReferenceArray}, whose method handles would delay a program's first
     * message.
     */
    private volatile Node<T>[] buckets = array(64);

    private int size;

    /** {@return the object with this number, or null} */
    public T get(int key) {
        Node<T>[] b = buckets;
        for (Node<T> n = b[mix(key) & b.length - 1]; n != null; n = n.next) {
            if (n.key == key) {
                return n.value;
            }
        }
        return null;
    }

    /** Adds an object if the number is free, and returns whether it was. */
    public synchronized boolean putIfAbsent(int key, T value) {
        if (get(key) != null) {
            return false;
        }
        Node<T>[] b = size >= buckets.length ? grown() : buckets;
        insert(b, key, value);
        buckets = b;
        size++;
        return true;
    }

    /** Removes the object with this number, if any. */
    public synchronized void remove(int key) {
        if (get(key) == null) {
            return;
        }
        Node<T>[] b = buckets;
        int i = mix(key) & b.length - 1;
        Node<T> kept = null;
        for (Node<T> n = b[i]; n != null; n = n.next) {
            if (n.key != key) {
                kept = new Node<>(n.key, n.value, kept);
            }
        }
        b[i] = kept;
        buckets = b;
        size--;
    }

    /** {@return the number of objects} */
    public synchronized int size() {
        return size;
    }

    /**
     * Visits the objects. One that is added or removed meanwhile may or may not be visited. Neither locks nor
     * allocates.
     */
    public void forEach(Consumer<? super T> visitor) {
        Node<T>[] b = buckets;
        for (int i = 0; i < b.length; i++) {
            for (Node<T> n = b[i]; n != null; n = n.next) {
                visitor.accept(n.value);
            }
        }
    }

    private Node<T>[] grown() {
        Node<T>[] larger = array(buckets.length * 4);
        for (Node<T> bucket : buckets) {
            for (Node<T> n = bucket; n != null; n = n.next) {
                insert(larger, n.key, n.value);
            }
        }
        return larger;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <T> Node<T>[] array(int length) {
        return new Node[length];
    }

    private static <T> void insert(Node<T>[] into, int key, T value) {
        int i = mix(key) & into.length - 1;
        into[i] = new Node<>(key, value, into[i]);
    }

    private static int mix(int key) {
        int h = key * 0x9e3779b9;
        return h ^ h >>> 16;
    }
}
