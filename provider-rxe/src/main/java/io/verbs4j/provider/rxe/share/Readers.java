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
 * The rings that an address is sent to by, as {@link Channels} has those that it sends by. Where there are many, those
 * are looked at that something is noted of. {@link #poll} is for one thread at a time, the rest for any.
 */
final class Readers {
    /** More senders than this have packets only. */
    private static final int MOST = Mailbox.PLACES;

    /** So many rings are looked at each time; of more, those that something is noted of. */
    static final int FEW = 8;

    private static final int WORDS = Mailbox.PLACES / Long.SIZE;

    private final OneCopy owner;
    private volatile RingReader[] all = {};

    /** Those by their places; null where there are few. Replaced, never changed. */
    private volatile RingReader[] places;

    /** Of which rings there may be something, of those by places; of who polls. */
    private final long[] noted = new long[WORDS];

    /** Of which rings there is something though their senders have not noted it, by places. */
    private final AtomicLongArray unnoted = new AtomicLongArray(WORDS);

    /** The places that all were looked at of. */
    private RingReader[] looked;

    /**
     * Rings that nothing is taken from any more. Their memory is given back by who polls, and so may be in the midst of
     * one.
     */
    private final Queue<RingReader> finished = new ConcurrentLinkedQueue<>();

    /** Where it goes on, so that one that is busy does not starve the others; of who polls. */
    private int first;

    private boolean closed;

    Readers(OneCopy owner) {
        this.owner = owner;
    }

    int size() {
        return all.length;
    }

    /** Whether {@link #poll} has something to do. */
    boolean isReceiving() {
        return all.length > 0 || !finished.isEmpty();
    }

    /** Whether there are so many that those are looked at that something is noted of. */
    boolean isNoted() {
        return places != null;
    }

    /** Whether the ring of a number is received from already. */
    boolean has(Peer peer, long number) {
        for (RingReader r : all) {
            if (r.number() == number && !r.isEnded() && r.peer().isSame(peer)) {
                return true;
            }
        }
        return false;
    }

    // ---- receiving

    /** Takes packets in; answers how many records were looked at. {@code drain} takes in what came by the socket. */
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
        // Each time from another one on, so that one that is busy does not starve the others.
        int start = first + 1 < now.length ? first + 1 : 0;
        first = start;
        for (int i = 0; i < now.length && seen < most; i++) {
            int at = start + i;
            RingReader reader = now[at < now.length ? at : at - now.length];
            seen += reader.poll(sink, most - seen, drain);
        }
        return seen;
    }

    /** As {@link #pollAll}, of those that something is noted of, from behind the one on that was the last to be taken from. */
    private int pollNoted(RingReader[] byPlace, PacketSink sink, int most, Runnable drain) {
        if (looked != byPlace) {
            looked = byPlace;
            Arrays.fill(noted, -1); // what came before notes were wanted is not noted
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
     * Whether nothing is there to be taken in. What is there is found by the next {@link #poll}, whatever its sender
     * has noted.
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

    /** Adds a reader, in place of that of an earlier ring of the sender, which has ended it. */
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

    /** From now on these are all; the others end. The lock is held. */
    private void receiveFrom(RingReader[] these) {
        Set<RingReader> over = new HashSet<>(Arrays.asList(all));
        over.removeAll(Arrays.asList(these));
        RingReader[] byPlace = byPlace(these);
        all = these;
        owner.mailbox().wantsNotes(byPlace != null);
        places = byPlace; // after that: who polls looks at all once
        for (RingReader r : over) {
            r.end();
            finished.add(r); // last: the poll that takes it out forgets the places of before, too
        }
    }

    /** Rings by their places; null where they are few. */
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

    // ---- looking after

    /**
     * Forgets rings of those who are gone, when all is taken out that they have sent. Where that is not so after a
     * whole interval, somebody else writes to the
     * ring, and it counts for nothing.
     */
    void lookAfter() {
        Set<RingReader> over = new HashSet<>();
        for (RingReader r : all) {
            boolean empty = r.isEmpty();
            if (!empty) {
                note(r.place()); // its sender may have been killed before it has
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

    /** Ends all; there are no more. */
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
