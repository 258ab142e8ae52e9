/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The rings to receive from at an address; {@link Channels} is the sending counterpart. If there are many rings, only
 * those with notes are polled. {@link #poll} must be called by one thread at a time; the other methods are thread-safe.
 */
final class Readers {
    /** Maximum number of rings. Further senders use packets. */
    private static final int MOST = Mailbox.PLACES;

    /** Up to this number all rings are polled each time; beyond it, only those with notes. */
    static final int FEW = 8;

    private static final int WORDS = Mailbox.PLACES / Long.SIZE;

    private final OneCopy owner;
    private volatile RingReader[] all = {};

    /** The rings by place; null while there are few. Replaced, never changed. */
    private volatile RingReader[] places;

    /** Rings that may have records, by place; for the polling thread only. */
    private final long[] noted = new long[WORDS];

    /** Rings with records that their senders have not noted, by place. */
    private final AtomicLongArray unnoted = new AtomicLongArray(WORDS);

    /** The array of places whose rings were all checked once. */
    private RingReader[] looked;

    /** Rings that have ended. The polling thread frees their memory, because it may be in the middle of reading one. */
    private final Queue<RingReader> finished = new ConcurrentLinkedQueue<>();

    /** Where to continue, so that a busy ring does not starve the others; for the polling thread only. */
    private int first;

    private boolean closed;

    Readers(OneCopy owner) {
        this.owner = owner;
    }

    int size() {
        return all.length;
    }

    /** Returns whether {@link #poll} has something to do. */
    boolean isReceiving() {
        return all.length > 0 || !finished.isEmpty();
    }

    /** Returns whether there are so many rings that only those with notes are polled. */
    boolean isNoted() {
        return places != null;
    }

    /** Returns whether the ring with the given number is being received from. */
    boolean has(Peer peer, long number) {
        for (RingReader r : all) {
            if (r.number() == number && !r.isEnded() && r.peer().isSame(peer)) {
                return true;
            }
        }
        return false;
    }

    // ---- receiving

    /**
     * Receives packets. Returns the number of records processed. {@code drain} receives what came through the socket.
     */
    int poll(PacketSink sink, int most, Runnable drain) {
        for (RingReader r = finished.poll(); r != null; r = finished.poll()) {
            r.discard();
        }
        RingReader[] byPlace = places;
        if (byPlace == null) {
            looked = null;
            return pollAll(sink, most, drain);
        }
        return pollNoted(byPlace, sink, most, drain);
    }

    private int pollAll(PacketSink sink, int most, Runnable drain) {
        RingReader[] now = all;
        int seen = 0;
        // Starts at another ring each time, so that a busy one does not starve the others.
        int start = first + 1 < now.length ? first + 1 : 0;
        first = start;
        for (int i = 0; i < now.length && seen < most; i++) {
            int at = start + i;
            RingReader reader = now[at < now.length ? at : at - now.length];
            seen += reader.poll(sink, most - seen, drain);
        }
        return seen;
    }

    /** As {@link #pollAll}, but only rings with notes, starting after the ring that was polled last. */
    private int pollNoted(RingReader[] byPlace, PacketSink sink, int most, Runnable drain) {
        if (looked != byPlace) {
            looked = byPlace;
            Arrays.fill(noted, -1); // what came before notes were requested is not noted
        }
        int words = byPlace.length / Long.SIZE;
        int start = first < byPlace.length ? first : 0;
        long behind = -1L << start;
        int seen = 0;
        for (int i = 0; i <= words && seen < most; i++) {
            int word = start / Long.SIZE + i;
            word -= word < words ? 0 : words;
            noted[word] |= owner.mailbox().take(word);
            if (unnoted.get(word) != 0) {
                noted[word] |= unnoted.getAndSet(word, 0);
            }
            long bits = noted[word] & (i == 0 ? behind : i == words ? ~behind : -1);
            for (; bits != 0 && seen < most; bits &= bits - 1) {
                int place = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                RingReader reader = byPlace[place];
                first = place + 1;
                if (reader != null) {
                    seen += reader.poll(sink, most - seen, drain);
                }
                if (reader == null || !reader.hasMore()) {
                    noted[word] &= ~(1L << place);
                }
            }
        }
        return seen;
    }

    /**
     * Returns whether there is nothing to receive. If there is, the next {@link #poll} finds it, whatever its sender
     * noted.
     */
    boolean isEmpty() {
        boolean empty = finished.isEmpty();
        for (RingReader reader : all) {
            if (!reader.isEmpty()) {
                note(reader.place());
                empty = false;
            }
        }
        return empty;
    }

    private void note(int place) {
        int word = place / Long.SIZE;
        long bit = 1L << place;
        if ((unnoted.get(word) & bit) == 0) {
            unnoted.getAndAccumulate(word, bit, (before, added) -> before | added);
        }
    }

    /**
     * Adds a reader; it replaces that of the sender's earlier ring, which ends. Returns false if there are too many, or
     * after close.
     */
    synchronized boolean replace(Gid from, RingReader reader) {
        RingReader[] others =
                Arrays.stream(all).filter(r -> !r.from().equals(from)).toArray(RingReader[]::new);
        if (closed || others.length >= MOST) {
            return false;
        }
        BitSet taken = new BitSet();
        for (RingReader r : others) {
            taken.set(r.place());
        }
        reader.place(taken.nextClearBit(0));
        RingReader[] more = Arrays.copyOf(others, others.length + 1);
        more[others.length] = reader;
        receiveFrom(more);
        return true;
    }

    /** Replaces the set of readers; those left out end. The caller holds the lock. */
    private void receiveFrom(RingReader[] these) {
        Set<RingReader> over = new HashSet<>(Arrays.asList(all));
        over.removeAll(Arrays.asList(these));
        RingReader[] byPlace = byPlace(these);
        all = these;
        owner.mailbox().wantsNotes(byPlace != null);
        places = byPlace; // after wantsNotes, because the polling thread then checks all rings once
        for (RingReader r : over) {
            r.end();
            finished.add(r); // last, so that the poll that discards it no longer uses the old places
        }
    }

    /** Returns the rings by place, or null if there are few. */
    private static RingReader[] byPlace(RingReader[] these) {
        if (these.length <= FEW) {
            return null;
        }
        int last = 0;
        for (RingReader r : these) {
            last = Math.max(last, r.place());
        }
        RingReader[] byPlace = new RingReader[(last / Long.SIZE + 1) * Long.SIZE];
        for (RingReader r : these) {
            byPlace[r.place()] = r;
        }
        return byPlace;
    }

    // ---- maintenance

    /**
     * Forgets the rings of processes that are gone, once everything they sent was received. If a ring is still not
     * empty after a whole interval, another process is writing to it, so it is forgotten as well.
     */
    void lookAfter() {
        Set<RingReader> over = new HashSet<>();
        for (RingReader r : all) {
            boolean empty = r.isEmpty();
            if (!empty) {
                note(r.place()); // its sender may have been killed before noting it
            }
            if (r.isEnded() || !owner.processes().isThere(r.peer()) && (empty || r.leave())) {
                over.add(r);
            }
        }
        if (!over.isEmpty()) {
            forget(over);
        }
    }

    private synchronized void forget(Set<RingReader> over) {
        receiveFrom(Arrays.stream(all).filter(r -> !over.contains(r)).toArray(RingReader[]::new));
    }

    /** Ends all rings; no more can be added. */
    void close() {
        RingReader[] last;
        synchronized (this) {
            closed = true;
            last = all;
            all = new RingReader[0];
            places = null;
        }
        for (RingReader r : last) {
            r.end();
        }
    }
}
