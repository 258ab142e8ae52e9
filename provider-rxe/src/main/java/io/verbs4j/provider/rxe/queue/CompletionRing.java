/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.WorkCompletion;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The entries of a completion queue. The first entries may be read in place; they are freed by {@link #giveBack}.
 *
 * <pre>
 *   head
 *    |  read  |  unread  |  free
 *    |      count        |
 * </pre>
 *
 * Guarded by the queue's lock, except for {@link #count()}.
 */
final class CompletionRing {
    /** Not a {@code VarHandle}, whose method handles would delay a program's first message. */
    private static final AtomicIntegerFieldUpdater<CompletionRing> TOLD =
            AtomicIntegerFieldUpdater.newUpdater(CompletionRing.class, "told");

    private WorkCompletion[] entries;

    /** The owners of the entries: send queues, receiving queue pairs, or shared receive queues of type XRC or TM. */
    private Object[] owners;

    /** For entries of send queues: the number of requests that are complete with the entry. */
    private long[] places;

    private int head;

    /** Changed by {@link #setCount}. */
    private int count;

    /** A copy of {@link #count} for threads that don't hold the lock. */
    private volatile int told;

    private int read;

    /** Belongs to no slot: replaces the entry that is read, or is that entry. */
    private WorkCompletion spare = new WorkCompletion();

    CompletionRing(int size) {
        entries = grown(size);
        owners = new Object[size];
        places = new long[size];
    }

    /** Returns an array with the entries in use first, from index 0, and new entries after them. */
    private WorkCompletion[] grown(int size) {
        WorkCompletion[] larger = new WorkCompletion[size];
        for (int i = 0; i < size; i++) {
            larger[i] = i < count ? entries[at(i)] : new WorkCompletion();
        }
        return larger;
    }

    private int at(int index) {
        int i = head + index;
        return i < entries.length ? i : i - entries.length;
    }

    /** Returns the number of entries in use; without the lock, a recent value. */
    int count() {
        return told;
    }

    /**
     * Avoids a volatile write: a fence for each completion costs more than the completion, and the lock orders
     * everything else.
     */
    private void setCount(int now) {
        count = now;
        TOLD.lazySet(this, now);
    }

    boolean isFull() {
        return count == entries.length;
    }

    /** Adds an entry at the end for the caller to fill. There must be room. */
    WorkCompletion add(Object owner, long place) {
        int tail = at(count);
        owners[tail] = owner;
        places[tail] = place;
        setCount(count + 1);
        return entries[tail];
    }

    /** Returns the first entry. There must be one, and none may be being read. */
    WorkCompletion first() {
        return entries[head];
    }

    /** Frees the first entry, and the places of its send queue up to it. There must be one. */
    void takeFirst() {
        freeUpTo(head);
        dropFirst();
    }

    private void freeUpTo(int entry) {
        if (owners[entry] instanceof SendQueue sends) {
            sends.polled(places[entry]);
        }
    }

    /** Drops the first entry, which was not polled. There must be one. */
    void dropFirst() {
        owners[head] = null;
        head = at(1);
        setCount(count - 1);
        if (read > 0) {
            read--;
        }
    }

    /**
     * Returns the next entry to read in place, or null if there are no more. The entry does not change until the next
     * call.
     */
    WorkCompletion readNext() {
        if (read == count) {
            return null;
        }
        int i = at(read++);
        WorkCompletion entry = entries[i];
        freeUpTo(i);
        entries[i] = spare;
        owners[i] = null;
        spare = entry;
        return entry;
    }

    /** Frees the entries that were read. */
    void giveBack() {
        head = at(read);
        setCount(count - read);
        read = 0;
    }

    /** Drops the unread entries of an owner. */
    void purge(Object owner) {
        int kept = read;
        for (int i = read; i < count; i++) {
            int from = at(i);
            if (owners[from] != owner) {
                int to = at(kept++);
                WorkCompletion swapped = entries[to];
                entries[to] = entries[from];
                owners[to] = owners[from];
                places[to] = places[from];
                entries[from] = swapped;
            }
        }
        for (int i = kept; i < count; i++) {
            owners[at(i)] = null;
        }
        setCount(kept);
    }

    /** Changes the number of entries, to at least the number in use. None may be being read. */
    void changeSize(int size) {
        WorkCompletion[] newEntries = grown(size);
        Object[] newOwners = new Object[size];
        long[] newPlaces = new long[size];
        for (int i = 0; i < count; i++) {
            newOwners[i] = owners[at(i)];
            newPlaces[i] = places[at(i)];
        }
        entries = newEntries;
        owners = newOwners;
        places = newPlaces;
        head = 0;
    }
}
