/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.VerbsObject;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;

/**
 * Handles of one kind shared by the threads: open ones, closed ones, and one that no verb has made.
 *
 * @param <T> the kind
 */
final class Shelf<T extends VerbsObject> {
    private static final int SLOTS = 32;
    private static final int RARE = 80;

    /** One in this many visited slots is used as it is: open or closed. */
    private static final int CARELESS = 60;

    private final String closeVerb;
    private final int mostOpen;
    private final AtomicReferenceArray<T> slots = new AtomicReferenceArray<>(SLOTS);
    private final Set<T> open = ConcurrentHashMap.newKeySet();
    private final Set<T> closed = ConcurrentHashMap.newKeySet();
    private volatile T fake;

    Shelf(String closeVerb, int mostOpen) {
        this.closeVerb = closeVerb;
        this.mostOpen = mostOpen;
    }

    String closeVerb() {
        return closeVerb;
    }

    /** Adds a handle that no verb has made, like that of another provider or a careless program. */
    void fake(T handle) {
        fake = handle;
    }

    void add(T handle, SplittableRandom random) {
        open.add(handle);
        int slot = random.nextInt(SLOTS);
        for (int i = 0; i < SLOTS && isOpen(slots.get(slot)); i++) {
            slot = (slot + 1) % SLOTS;
        }
        slots.set(slot, handle);
    }

    private boolean isOpen(T handle) {
        return handle != null && open.contains(handle);
    }

    void closed(T handle) {
        open.remove(handle);
        closed.add(handle);
    }

    /** Returns any handle: open, closed, fake, or null. */
    T any(SplittableRandom random) {
        return any(random, handle -> true);
    }

    /** Returns any handle; mostly an open one that fits, if there are some. */
    T any(SplittableRandom random, Predicate<T> fitting) {
        switch (random.nextInt(RARE)) {
            case 0:
                return null;
            case 1:
                return fake;
            default:
                int slot = random.nextInt(SLOTS);
                for (int i = 0; i < SLOTS && random.nextInt(CARELESS) != 0; i++) {
                    T handle = slots.get(slot);
                    if (isOpen(handle) && fitting.test(handle)) {
                        return handle;
                    }
                    slot = (slot + 1) % SLOTS;
                }
                return slots.get(slot);
        }
    }

    /** Returns a handle to call a method of; null only while there are none. */
    T some(SplittableRandom random) {
        return some(random, handle -> true);
    }

    /** Returns a handle to call a method of; mostly one that fits, if there are some. */
    T some(SplittableRandom random, Predicate<T> fitting) {
        for (int i = 0; i < SLOTS; i++) {
            T handle = any(random, fitting);
            if (handle != null) {
                return handle;
            }
        }
        return null;
    }

    /** Returns a handle made by a verb, to call a data verb of; null only while there are none. */
    T made(SplittableRandom random) {
        T handle = some(random);
        return handle == fake ? null : handle;
    }

    /** Whether a verb certainly fails with this handle: it was closed some time ago, or never was valid. */
    boolean isDead(T handle) {
        return handle == null || handle == fake || closed.contains(handle);
    }

    boolean isFake(T handle) {
        return handle == fake;
    }

    boolean isFull() {
        return open.size() >= mostOpen;
    }

    Set<T> open() {
        return open;
    }
}
