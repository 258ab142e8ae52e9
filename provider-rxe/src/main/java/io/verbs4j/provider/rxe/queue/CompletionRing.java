/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.WorkCompletion;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The entries of a completion queue. The first ones may be read where they are; they are free when they are given back.
 *
 * <pre>
 *   head
 *    |  read  |  unread  |  free
 *    |      count        |
 * </pre>
 *
 * Guarded by the queue's lock, but for {@link #count()}.
 */
final class CompletionRing {
    /** Not a {@code VarHandle}, whose method handles a program's first message would wait for. */
    private static final AtomicIntegerFieldUpdater<CompletionRing> TOLD =
            AtomicIntegerFieldUpdater.newUpdater(CompletionRing.class, "told");

    private WorkCompletion[] entries;

    /** What the entries are of: send queues, queue pairs that received, or shared receive queues of type XRC. */
    private Object[] owners;

    /** Of send queues: how many requests are complete with the entry. */
    private long[] places;

    private int head;

    /** Changed by {@link #setCount}. */
    private int count;

    /** The same, for those who don't hold the lock. */
    private volatile int told;

    private int read;

    /** Of no entry: it takes the place of the one that is read, or is that. */
    private WorkCompletion spare = new WorkCompletion();

    CompletionRing(int size) {
        entries = grown(size);
        owners = new Object[size];
        places = new long[size];
    }

    /** Entries that are there, the first of them at 0; the others are new. */
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

    /** How many entries are in use. Without the lock: as of late. */
    int count() {
        return told;
    }

    /** No volatile write: a fence for each completion costs more than the completion, and the lock orders all else. */
    private void setCount(int now) {
        count = now;
        TOLD.lazySet(this, now);
    }

    boolean isFull() {
        return count == entries.length;
    }

    /** The entry behind the last, now in use: to be filled. There must be room. */
    WorkCompletion add(Object owner, long place) {
        int tail = at(count);
        owners[tail] = owner;
        places[tail] = place;
        setCount(count + 1);
        return entries[tail];
    }

    /** The first entry; there is one, and none is read. */
    WorkCompletion first() {
        return entries[head];
    }

    /** Frees the first entry, and the places of send queues up to it; there is one. */
    void takeFirst() {
        freeUpTo(head);
        dropFirst();
    }

    private void freeUpTo(int entry) {
        if (owners[entry] instanceof SendQueue sends) {
            sends.polled(places[entry]);
        }
    }

    /** Drops the first entry, which nobody has polled; there is one. */
    void dropFirst() {
        owners[head] = null;
        head = at(1);
        setCount(count - 1);
        if (read > 0) {
            read--;
        }
    }

    /** Reads on: answers the next entry, which nobody changes until the next call; null where there are no more. */
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

    /** Frees what was read. */
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

    /** Changes the number of entries, to as many as are in use at least. None is read. */
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
