/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.rdmacore.memory.Pin;
import java.util.ArrayList;
import java.util.List;

/**
 * A key that work requests give memory to and take it from. What it has is known from what was posted: a request counts from the post on,
 * and where it fails, all is as it was before, and as if what was posted behind it had not been.
 */
public final class MrKey {
    private static final int TAG = 0xff;

    /** Takes over what the key has. */
    @FunctionalInterface
    public interface Changes {
        /** From now on. */
        void take(long addr, long length, int access, int key);
    }

    /** What a request changes, to be taken back. */
    static final class Change {
        /** Null: nothing. */
        MrKey of;

        /** Of the ring, where the request begins. */
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
    private MrPieces now; // null: it is free
    private int posted;
    private int reverted;
    private int registrations;

    /**
     * Of a {@code struct mlx5dv_mkey}.
     *
     * @param keys those of its context
     * @param number the key that the device gave it
     * @param maxEntries most pieces
     */
    MrKey(long mkey, MrKeys keys, int number, int maxEntries, Changes changes) {
        this.mkey = mkey;
        this.keys = keys;
        this.key = number;
        this.maxEntries = maxEntries;
        this.changes = changes;
        all.add(new MrPieces(maxEntries));
    }

    /** The {@code struct mlx5dv_mkey}. */
    public long address() {
        return mkey;
    }

    /** Keeps it from being destroyed. */
    public Pin pin() {
        return pin;
    }

    /** Most pieces. */
    public int maxEntries() {
        return maxEntries;
    }

    /** Whether it is one of a context, and not closed. */
    boolean isOpenOf(MrKeys context) {
        return keys == context && pin.isOpen();
    }

    /** The key, by the last that was posted. */
    synchronized int key() {
        return key;
    }

    /** Whether two keys differ in their lowest bits at most. */
    static boolean isSame(int one, int other) {
        return ((one ^ other) & ~TAG) == 0;
    }

    /** Where the next pieces may be noted. */
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

    /** Memory is given to it, by a request of a number. */
    synchronized void registered(Change c, MrPieces pieces, SendElements by, int number) {
        change(c, pieces, by, number);
        pieces.begin();
        pieces.order = ++registrations;
        key = pieces.key;
        now = pieces;
        show();
    }

    /** Its memory is taken from it, where that is its key and it has some. */
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

    /** A request that was to change it is not posted after all. */
    synchronized void undo(Change c) {
        takeBack(c);
        show();
    }

    /** A request that was to change it has failed. */
    synchronized void failed(Change c) {
        if (c.number - reverted > 0) {
            reverted = posted;
            takeBack(c);
            show();
        } else if (c.after != null && c.after != now) {
            c.after.drop(); // of one behind it that has failed
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

    /** The peer has taken the memory of a key from it. */
    synchronized void takenBack(int rkey) {
        if (now != null && key == rkey) {
            now.drop();
            now = null;
            show();
        }
    }

    /** Copies bytes to where the key had a range when it was used; false where it had not, or they can't be written. */
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
