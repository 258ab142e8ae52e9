/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.SendFlags;
import io.verbs4j.WcStatus;
import java.util.function.IntSupplier;

/**
 * The requests about memory windows that were posted to a queue pair and have not completed, oldest first, with the
 * changes they made. Work requests complete in the order of posting, so a completion belongs to the first request with
 * its id that has one.
 *
 * <p>From the post on, the window's key counts as changed, and the window as bound or free.
 */
public final class WindowLog {
    /** Kind: a bind. */
    public static final int BIND = 0;

    /** Kind: an invalidation of a key. */
    public static final int INVALIDATE = 1;

    /** Most requests of one driver call, which count as posted before the driver has accepted them. */
    private static final int AT_ONCE = 32;

    private static final int FIRST_SIZE = 16;

    private static final class Entry {
        private int kind;
        private IbvMw window; // null for type 1 or if unknown
        private WindowLog wasOn;
        private boolean added;
        private int oldKey;
        private int newKey;
        private long wrId;
        private boolean signaled;
    }

    private final WindowBook book;
    private final IntSupplier qpNum;
    private final boolean signalsAll;
    private final int most;
    private final Runnable look;

    // All guarded by the book.
    private Entry[] entries = {}; // a ring; its length is a power of two
    private int from;
    private int to;
    private volatile boolean known;

    /** Number of windows that may be bound on the queue pair. */
    int bound;

    /**
     * Creates an empty log.
     *
     * @param signalsAll whether each request has a completion
     * @param maxSendWr most outstanding requests
     * @param look reports unpolled completions of the receive queue, among them those of the peer's invalidations, to
     *     the book
     */
    public WindowLog(WindowBook book, IntSupplier qpNum, boolean signalsAll, int maxSendWr, Runnable look) {
        this.book = book;
        this.qpNum = qpNum;
        this.signalsAll = signalsAll;
        this.most = maxSendWr + AT_ONCE;
        this.look = look;
    }

    /** {@return the book of the device's windows} */
    public WindowBook book() {
        return book;
    }

    private Entry next(int kind, IbvMw window, long wrId, int flags) {
        if (!known) {
            known = true;
            book.add(qpNum.getAsInt(), this);
        }
        if (to - from > most) {
            done(at(from++)); // its place in the device's queue has been reused
        }
        if (to - from == entries.length) {
            grow();
        }
        Entry e = at(to++);
        e.kind = kind;
        e.window = window;
        e.wasOn = window == null ? null : window.boundOn;
        e.added = false;
        e.wrId = wrId;
        e.signaled = signalsAll || (flags & SendFlags.SIGNALED) != 0;
        return e;
    }

    private Entry at(int i) {
        return entries[i & entries.length - 1];
    }

    private void grow() {
        Entry[] larger = new Entry[Math.max(FIRST_SIZE, 2 * entries.length)];
        for (int i = from; i != from + larger.length; i++) {
            larger[i & larger.length - 1] = i - to < 0 ? at(i) : new Entry();
        }
        entries = larger;
    }

    /** {@return whether anything was logged} */
    public boolean isUsed() {
        return known;
    }

    /** {@return the current end of the log; {@link #undo} removes what follows} */
    public int mark() {
        synchronized (book) {
            return to;
        }
    }

    /** Logs a bind of type 1 that is about to be posted, and completes like the others. */
    public void typeOne(long wrId, int flags) {
        synchronized (book) {
            next(BIND, null, wrId, flags);
        }
    }

    /** Logs a bind that is about to be posted. After the post, {@link IbvMw#bound(int)} gives the window its key. */
    public void bind(IbvMw window, int newKey, long wrId, int flags) {
        synchronized (book) {
            Entry e = next(BIND, window, wrId, flags);
            e.oldKey = window.rkey();
            e.newKey = newKey;
            e.added = book.isFragile() && window.maybeOn(this);
            window.boundOn = this;
        }
    }

    /** Logs an invalidation that is about to be posted; returns 0, or an errno if it must not be posted. */
    public int invalidate(int rkey, long wrId, int flags) {
        if (book.isFragile()) {
            look.run(); // the peer may have invalidated it already
        }
        synchronized (book) {
            IbvMw window = bound(rkey);
            if (window == null && book.isFragile()) {
                return Errno.EINVAL;
            }
            next(INVALIDATE, window, wrId, flags);
            if (window != null) {
                window.boundOn = null;
            }
            return 0;
        }
    }

    /** {@return the window with a key that is bound on the queue pair, or null if there is none} */
    private IbvMw bound(int rkey) {
        IbvMw window = book.find(rkey);
        return window != null && window.boundOn == this && window.rkey() == rkey ? window : null;
    }

    /** {@return whether an invalidation of the key may be posted to the queue pair} */
    public boolean canInvalidate(int rkey) {
        synchronized (book) {
            return !book.isFragile() || bound(rkey) != null;
        }
    }

    /** Removes the entries since a {@link #mark}, which were not posted. */
    public void undo(int mark) {
        synchronized (book) {
            while (to - mark > 0 && to != from) {
                Entry e = at(--to);
                IbvMw window = e.window;
                e.window = null;
                if (window != null) {
                    window.boundOn = window.closed ? null : e.wasOn;
                    if (e.added) {
                        window.notOn(this);
                    }
                    forget(window, e);
                }
            }
        }
    }

    private static void forget(IbvMw window, Entry bind) {
        if (bind.kind == BIND && !window.closed && window.rkey() == bind.newKey) {
            window.bound(bind.oldKey);
        }
    }

    /**
     * Corrects the next bind of the window after a failed one: it recorded the failed bind's key as the old key, which
     * the window never had.
     */
    private void passOn(IbvMw window, Entry failed) {
        for (int i = from; i != to && failed.kind == BIND; i++) {
            Entry later = at(i);
            if (later.kind == BIND && later.window == window) {
                if (later.oldKey == failed.newKey) {
                    later.oldKey = failed.oldKey;
                }
                return;
            }
        }
    }

    /** Completes a request successfully; returns its kind. */
    public int succeeded(long wrId) {
        synchronized (book) {
            for (int i = from; i != to; i++) {
                Entry e = at(i);
                if (e.signaled && e.wrId == wrId) {
                    while (from - i <= 0) {
                        done(at(from++));
                    }
                    return e.kind;
                }
            }
            return BIND;
        }
    }

    private void done(Entry e) {
        IbvMw window = e.window;
        e.window = null;
        if (window == null) {
            return;
        }
        if (e.kind == BIND) {
            if (window.boundOn == this) { // it was free, so it is bound nowhere else
                window.onlyOn(this);
            }
        } else if (window.boundOn != this) { // nor bound here again
            window.notOn(this);
        }
    }

    /**
     * Handles a failed request; does nothing if it is not in the log. Whether a flushed request was carried out is
     * unknown.
     */
    public void failed(long wrId, int status) {
        synchronized (book) {
            int i = from;
            while (i != to && at(i).wrId != wrId) {
                i++;
            }
            if (i == to) {
                return;
            }
            while (from != i) {
                done(at(from++));
            }
            Entry e = at(from++);
            IbvMw window = e.window;
            e.window = null;
            if (window != null) {
                if (window.boundOn == this) {
                    window.boundOn = null;
                }
                forget(window, e);
                passOn(window, e);
                if (e.added && status == WcStatus.MW_BIND_ERR) {
                    window.notOn(this);
                }
            }
        }
    }

    /** Empties the log at RESET: outstanding requests are dropped, and their outcome is not reported. */
    void reset() {
        synchronized (book) {
            while (from != to) {
                Entry e = at(from++);
                if (e.window != null && e.window.boundOn == this) {
                    e.window.boundOn = null;
                }
                e.window = null;
            }
        }
    }

    /** {@return whether windows may be bound on the queue pair, for which the kernel would wait} */
    boolean isHeld() {
        synchronized (book) {
            return bound > 0;
        }
    }

    /** Closes the log of a destroyed queue pair. */
    void close() {
        synchronized (book) {
            reset();
            if (known) {
                known = false;
                book.remove(qpNum.getAsInt(), this);
            }
        }
    }
}
