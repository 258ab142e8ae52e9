/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** The queue pairs of a context by their numbers, for completions. Looking up takes no lock and allocates nothing. */
public final class Rings {
    /** What a completion of a queue pair needs of it. */
    public static final class Entry {
        final int qpNum;
        final SendRing sends;
        final ReceiveRing receives;
        final SharedRing shared;
        private final Entry next;

        private Entry(int qpNum, SendRing sends, ReceiveRing receives, SharedRing shared, Entry next) {
            this.qpNum = qpNum;
            this.sends = sends;
            this.receives = receives;
            this.shared = shared;
            this.next = next;
        }

        private Entry before(Entry other) {
            return new Entry(qpNum, sends, receives, shared, other);
        }
    }

    private volatile AtomicReferenceArray<Entry> buckets = new AtomicReferenceArray<>(64);
    private int size;

    /** None. */
    public Rings() {}

    /** The queue pair of a number, or null. */
    Entry find(int qpNum) {
        AtomicReferenceArray<Entry> b = buckets;
        Entry e = b.get(qpNum & b.length() - 1); // numbers are handed out in order: they are their own hash
        while (e != null && e.qpNum != qpNum) {
            e = e.next;
        }
        return e;
    }

    /** Adds a queue pair; each of its rings may be null. */
    public synchronized void add(int qpNum, SendRing sends, ReceiveRing receives, SharedRing shared) {
        if (++size > buckets.length()) {
            AtomicReferenceArray<Entry> larger = new AtomicReferenceArray<>(buckets.length() * 4);
            for (int i = 0; i < buckets.length(); i++) {
                for (Entry e = buckets.get(i); e != null; e = e.next) {
                    int at = e.qpNum & larger.length() - 1;
                    larger.set(at, e.before(larger.get(at)));
                }
            }
            buckets = larger;
        }
        int at = qpNum & buckets.length() - 1;
        buckets.set(at, new Entry(qpNum, sends, receives, shared, buckets.get(at)));
    }

    /** Removes a queue pair. */
    public synchronized void remove(int qpNum) {
        int at = qpNum & buckets.length() - 1;
        Entry kept = null;
        for (Entry e = buckets.get(at); e != null; e = e.next) {
            if (e.qpNum == qpNum) {
                size--;
            } else {
                kept = e.before(kept);
            }
        }
        buckets.set(at, kept);
    }
}
