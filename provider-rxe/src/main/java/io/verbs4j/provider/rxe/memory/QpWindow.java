/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/**
 * A type 2 memory window of the embedded device: free, or bound on one queue pair, whose peer alone may use it. Its key
 * stays the same except for the lowest 8 bits, which each bind chooses.
 */
public final class QpWindow {
    /** Not a monitor, because freeing the window waits until no thread touches the memory. */
    private final ReentrantLock lock = new ReentrantLock();

    private final MemoryKeys keys;
    private final ProtectionDomain pd;

    /** Whether queue pairs of other domains may bind it (type 2A). */
    private final boolean byQpAlone;

    private final IntConsumer newRkey;
    private final MemoryKey key;

    /** The region and the queue pair's windows that it is bound to; null if it is free. */
    private RxeMr region;

    private BoundWindows bound;

    /** Binds that were posted but not carried out yet. */
    private int posted;

    private boolean closed;

    // Links in the list of bound windows; guarded by that BoundWindows.
    QpWindow previousBound;
    QpWindow nextBound;

    /** Creates a free window; {@code newRkey} receives each of its keys. */
    QpWindow(MemoryKeys keys, ProtectionDomain pd, boolean byQpAlone, IntConsumer newRkey) {
        this.keys = keys;
        this.pd = Domains.root(pd);
        this.byQpAlone = byQpAlone;
        this.newRkey = newRkey;
        this.key = keys.add(this);
        newRkey.accept(key.key());
    }

    /** Returns whether a bind to this key can be posted: the key is one of this window's, and the window is open. */
    public boolean takesKey(int rkey) {
        lock.lock();
        try {
            return !closed && (rkey ^ key.key()) >>> MemoryKeys.TAG_BITS == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Counts a posted bind; the handle reports the new key from here on. */
    public void bindPosted(int rkey) {
        lock.lock();
        try {
            posted++;
            newRkey.accept(rkey);
        } finally {
            lock.unlock();
        }
    }

    /** Uncounts a posted bind that will not be carried out; the handle reports the current key again. */
    public void bindDropped() {
        lock.lock();
        try {
            posted--;
            newRkey.accept(key.key());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Carries out a posted bind.
     *
     * @param on the windows of the queue pair
     * @param qpPd domain of the queue pair
     * @return false if the window is not free, the length is 0, or domain or region do not allow the bind; nothing
     *     changes then, and the bind still counts as posted
     */
    public boolean bind(
            BoundWindows on, ProtectionDomain qpPd, int rkey, RxeMr to, long addr, long length, int access) {
        lock.lock();
        try {
            if (closed || bound != null || qpPd != pd && !byQpAlone || length == 0) {
                return false;
            }
            MemoryKey parent = to.admitWindow(pd, addr, length, access);
            if (parent == null) {
                return false;
            }
            boolean zeroBased = (access & AccessFlags.ZERO_BASED) != 0;
            key.open(rkey, qpPd, on, zeroBased ? 0 : addr, addr, length, access, parent);
            region = to;
            bound = on;
            on.add(this);
            if (--posted == 0) {
                newRkey.accept(rkey); // the handle may report another key since a bind was dropped
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Frees the window if it is bound there with this key; returns whether it was. */
    boolean invalidate(int rkey, BoundWindows on) {
        lock.lock();
        try {
            boolean fits = on != null && bound == on && key.key() == rkey;
            if (fits) {
                free();
            }
            return fits;
        } finally {
            lock.unlock();
        }
    }

    /** Frees the window if it is still bound there. */
    void freeFrom(BoundWindows on) {
        lock.lock();
        try {
            if (bound == on) {
                free();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the window: it is freed and can't be bound any more. */
    public void destroy() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                if (bound != null) {
                    free();
                }
                keys.remove(key);
            }
        } finally {
            lock.unlock();
        }
    }

    private void free() {
        key.revoke();
        bound.remove(this);
        bound = null;
        region.release();
        region = null;
    }
}
