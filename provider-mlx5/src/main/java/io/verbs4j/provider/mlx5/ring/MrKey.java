/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.rdmacore.memory.Pin;
import java.util.ArrayList;
import java.util.List;

/**
 * A key that work requests register memory with and invalidate. Its state follows the posted requests: a request takes
 * effect when it is posted. If it fails, the key returns to the state before it, and requests posted after it are
 * undone as well.
 */
public final class MrKey {
    private static final int TAG = 0xff;

    /** Receives the properties of the key. */
    @FunctionalInterface
    public interface Changes {
        /** Sets the properties that apply from now on. */
        void take(long addr, long length, int access, int key);
    }

    /** A change by a request, kept for undoing it. */
    static final class Change {
        /** The key; null if nothing changed. */
        MrKey of;

        /** Block of the ring at which the request begins. */
        int block;

        private int number;
        private int key;
        private MrPieces before;
        private MrPieces after;
    }

    private final long mkey;
    private final MrKeys keys;
    private final int maxEntries;
    private final Changes changes;
    private final Pin pin = new Pin();

    // All guarded by this.
    private final List<MrPieces> all = new ArrayList<>();
    private int key;
    private MrPieces now; // null if no memory is registered
    private int posted;
    private int reverted;
    private int registrations;

    /**
     * Creates the key of a {@code struct mlx5dv_mkey}.
     *
     * @param keys the keys of its context
     * @param number the key that the device assigned
     * @param maxEntries maximum number of pieces
     */
    MrKey(long mkey, MrKeys keys, int number, int maxEntries, Changes changes) {
        this.mkey = mkey;
        this.keys = keys;
        this.key = number;
        this.maxEntries = maxEntries;
        this.changes = changes;
        all.add(new MrPieces(maxEntries));
    }

    /** Returns the {@code struct mlx5dv_mkey}. */
    public long address() {
        return mkey;
    }

    /** Returns the pin that keeps the key from being destroyed. */
    public Pin pin() {
        return pin;
    }

    /** Returns the maximum number of pieces. */
    public int maxEntries() {
        return maxEntries;
    }

    /** Returns whether the key belongs to a context and is not closed. */
    boolean isOpenOf(MrKeys context) {
        return keys == context && pin.isOpen();
    }

    /** Returns the key as set by the last posted request. */
    synchronized int key() {
        return key;
    }

    /** Returns whether two keys differ in no more than their lowest bits. */
    static boolean isSame(int one, int other) {
        return ((one ^ other) & ~TAG) == 0;
    }

    /** Returns an unused object for recording pieces. */
    synchronized MrPieces spare() {
        for (int i = 0; i < all.size(); i++) {
            MrPieces p = all.get(i);
            if (p != now && p.isSpare()) {
                return p;
            }
        }
        MrPieces p = new MrPieces(maxEntries);
        all.add(p);
        return p;
    }

    /** Records that a request with this number registers memory. */
    synchronized void registered(Change c, MrPieces pieces, SendElements by, int number) {
        change(c, pieces, by, number);
        pieces.begin();
        pieces.order = ++registrations;
        key = pieces.key;
        now = pieces;
        show();
    }

    /** Records that a request invalidates the key, if that is the current one and has memory. */
    synchronized void invalidated(Change c, int rkey, SendElements by, int number) {
        if (now == null || key != rkey) {
            c.of = null; // the device will refuse it
            return;
        }
        change(c, null, by, number);
        now = null;
        show();
    }

    private void change(Change c, MrPieces after, SendElements by, int number) {
        c.of = this;
        c.number = ++posted;
        c.key = key;
        c.before = now;
        c.after = after;
        if (now != null) {
            now.end(by, number);
        }
    }

    /** Undoes a change whose request is not posted after all. */
    synchronized void undo(Change c) {
        takeBack(c);
        show();
    }

    /** Undoes a change whose request has failed. */
    synchronized void failed(Change c) {
        if (c.number - reverted > 0) {
            reverted = posted;
            takeBack(c);
            show();
        } else if (c.after != null && c.after != now) {
            c.after.drop(); // was posted after another request that failed
        }
    }

    private void takeBack(Change c) {
        if (c.after != null) {
            c.after.drop();
        }
        key = c.key;
        now = c.before;
        if (now != null) {
            now.begin();
        }
    }

    /** Records that the peer has invalidated the key. */
    synchronized void takenBack(int rkey) {
        if (now != null && key == rkey) {
            now.drop();
            now = null;
            show();
        }
    }

    /**
     * Copies bytes to a range of the memory that the key had when it was used; returns false if the key did not have
     * the range or it cannot be written.
     */
    synchronized boolean put(Scatter to, int lkey, long addr, long from, int length) {
        MrPieces last = null;
        for (int i = 0; i < all.size(); i++) {
            MrPieces p = all.get(i);
            if (p.key == lkey && !p.isGone() && (last == null || p.order - last.order > 0)) {
                last = p;
            }
        }
        return last != null && last.put(to, addr, from, length);
    }

    private void show() {
        boolean has = now != null;
        changes.take(has ? now.base : 0, has ? now.length : 0, has ? now.access : 0, key);
    }
}
