/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/**
 * A memory window of type 2 of the embedded device: free, or bound on one queue pair, whose peer alone may use it. It has the same
 * key all the time, but for the lowest 8 bits, which each bind chooses.
 */
public final class QpWindow {
    /** Not a monitor: a bind ends when nobody touches the memory any more. */
    private final ReentrantLock lock = new ReentrantLock();

    private final MemoryKeys keys;
    private final ProtectionDomain pd;

    /** Whether queue pairs of other domains may bind it: type 2A. */
    private final boolean byQpAlone;

    private final IntConsumer newRkey;
    private final MemoryKey key;

    /** What it is bound to, and where; null: it is free. */
    private RxeMemoryRegion region;

    private BoundWindows bound;

    /** Binds that were posted and have not come to their turn. */
    private int posted;

    private boolean closed;

    // Its place among the bound ones; guarded by that object.
    QpWindow previousBound;
    QpWindow nextBound;

    /** Makes a window that is free; {@code newRkey} is told its keys. */
    QpWindow(MemoryKeys keys, ProtectionDomain pd, boolean byQpAlone, IntConsumer newRkey) {
        this.keys = keys;
        this.pd = Domains.root(pd);
        this.byQpAlone = byQpAlone;
        this.newRkey = newRkey;
        this.key = keys.add(this);
        newRkey.accept(key.key());
    }

    /** Whether a bind to a key can be posted: the key is one of this window's, which is open. */
    public boolean takesKey(int rkey) {
        lock.lock();
        try {
            return !closed && (rkey ^ key.key()) >>> MemoryKeys.TAG_BITS == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Counts a bind that is posted: the window's key is the new one. */
    public void bindPosted(int rkey) {
        lock.lock();
        try {
            posted++;
            newRkey.accept(rkey);
        } finally {
            lock.unlock();
        }
    }

    /** A bind that was posted won't be: the window's key is what it was. */
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
     * Carries out a bind that was posted.
     *
     * @param on the windows of the queue pair
     * @param qpPd domain of the queue pair
     * @return false where the window is not free, or domains or region do not allow it; it is then as it was, and the bind still posted
     */
    public boolean bind(
            BoundWindows on, ProtectionDomain qpPd, int rkey, RxeMemoryRegion to, long addr, long length, int access) {
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
                newRkey.accept(rkey); // another may have been dropped since
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Frees the window, where it is bound there and that is its key. */
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

    /** Frees the window, where it is bound there still. */
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

    /** Ends the window: it is free, and can't be bound any more. */
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
