/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.SendFlags;
import io.verbs4j.WcStatus;
import java.util.function.IntSupplier;

/**
 * What was posted to a queue pair about memory windows and has not completed, oldest first, and what each has changed. Work requests
 * complete in the order in which they were posted, so a completion is about the first with its id that has one.
 *
 * <p>The window's key counts as changed, and the window as bound or free, from the post on.
 */
public final class WindowLog {
    /** A bind that was posted: a kind. */
    public static final int BIND = 0;

    /** Taking a key back: a kind. */
    public static final int INVALIDATE = 1;

    /** A driver takes so many requests at once, which count as posted before it has taken them. */
    private static final int AT_ONCE = 32;

    private static final int FIRST_SIZE = 16;

    private static final class Entry {
        private int kind;
        private IbvMw window; // null: of type 1, or not known
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
    private Entry[] entries = {}; // a ring, as long as a power of two
    private int from;
    private int to;
    private volatile boolean known;

    /** How many windows may be bound on the queue pair. */
    int bound;

    /**
     * Nothing was posted yet.
     *
     * @param signalsAll whether each request has a completion
     * @param maxSendWr how many requests can be on the way
     * @param look tells the book of completions that nobody has polled yet, where the peer's are
     */
    public WindowLog(WindowBook book, IntSupplier qpNum, boolean signalsAll, int maxSendWr, Runnable look) {
        this.book = book;
        this.qpNum = qpNum;
        this.signalsAll = signalsAll;
        this.most = maxSendWr + AT_ONCE;
        this.look = look;
    }

    /** The windows of the device. */
    public WindowBook book() {
        return book;
    }

    private Entry next(int kind, IbvMw window, long wrId, int flags) {
        if (!known) {
            known = true;
            book.add(qpNum.getAsInt(), this);
        }
        if (to - from > most) {
            done(at(from++)); // its place in the device's queue has been used again
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

    /** Whether anything was. */
    public boolean isUsed() {
        return known;
    }

    /** How much was posted. What follows is taken back by {@link #undo}. */
    public int mark() {
        synchronized (book) {
            return to;
        }
    }

    /** A bind of type 1 is about to be posted, which completes like the others. */
    public void typeOne(long wrId, int flags) {
        synchronized (book) {
            next(BIND, null, wrId, flags);
        }
    }

    /** A bind is about to be posted. Once it is, {@link IbvMw#bound(int)} gives the window its key. */
    public void bind(IbvMw window, int newKey, long wrId, int flags) {
        synchronized (book) {
            Entry e = next(BIND, window, wrId, flags);
            e.oldKey = window.rkey();
            e.newKey = newKey;
            e.added = book.isFragile() && window.maybeOn(this);
            window.boundOn = this;
        }
    }

    /** A key is about to be taken back; 0, or an errno where that may not be posted. */
    public int invalidate(int rkey, long wrId, int flags) {
        if (book.isFragile()) {
            look.run(); // the peer may have taken it back already
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

    /** The window that is bound on the queue pair and has that key; null where there is none. */
    private IbvMw bound(int rkey) {
        IbvMw window = book.find(rkey);
        return window != null && window.boundOn == this && window.rkey() == rkey ? window : null;
    }

    /** Whether the queue pair may be asked to take that key back. */
    public boolean canInvalidate(int rkey) {
        synchronized (book) {
            return !book.isFragile() || bound(rkey) != null;
        }
    }

    /** What was about to be posted since a {@link #mark} was not. */
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

    /** The next bind of the window began with a key that the window never had; what it had was the key before. */
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

    /** A request has completed; its kind. */
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
        } else if (window.boundOn != this) { // nor bound here anew
            window.notOn(this);
        }
    }

    /**
     * A request has failed, perhaps another: then nothing happens. Whether a request that was flushed had been carried out is not
     * known.
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

    /** The queue pair is in RESET: what was not carried out won't be, and what became of it is not told. */
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

    /** Whether windows may be bound on the queue pair, which the kernel would wait for. */
    boolean isHeld() {
        synchronized (book) {
            return bound > 0;
        }
    }

    /** The queue pair is gone. */
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
