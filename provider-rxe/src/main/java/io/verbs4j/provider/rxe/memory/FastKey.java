/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.WcStatus;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A key that work requests give memory to and take it back from: free, or valid. Pieces of regions of its domain become one; the regions
 * stay while it is valid.
 */
public final class FastKey {
    private static final int WRITES = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    /** Not a monitor: the key ends when nobody touches the memory any more. */
    private final ReentrantLock lock = new ReentrantLock();

    private final MemoryKeys keys;
    private final ProtectionDomain pd;

    /** Who may use it: of a parent domain that is the one that it is made of. */
    private final ProtectionDomain base;

    private final int maxEntries;
    private final MemoryKey key;
    private final Pieces pieces;
    private final RxeMemoryRegion[] regions;
    private int used;

    /** What the handle tells: from the post on, the key that was posted last. */
    private int shown;

    private RxeMemoryRegion.Listener listener;
    private boolean valid;
    private boolean closed;

    /** Registrations that were posted and have not come to their turn. */
    private int posted;

    FastKey(MemoryKeys keys, ProtectionDomain pd, int maxEntries) {
        this.keys = keys;
        this.pd = pd;
        this.base = Domains.root(pd);
        this.maxEntries = maxEntries;
        this.pieces = new Pieces(maxEntries);
        this.regions = new RxeMemoryRegion[maxEntries];
        this.key = keys.add(this);
        this.shown = key.key();
    }

    void onChange(RxeMemoryRegion.Listener newListener) {
        listener = newListener;
    }

    ProtectionDomain pd() {
        return pd;
    }

    int shown() {
        return shown;
    }

    /** Most pieces. */
    public int maxEntries() {
        return maxEntries;
    }

    /** Whether a registration with a number can be posted: it is one of this key's, which is open. */
    public boolean takesNumber(int newKey) {
        lock.lock();
        try {
            return !closed && (newKey ^ key.key()) >>> MemoryKeys.TAG_BITS == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Counts a registration that is posted: the key has the new number. */
    public void registrationPosted(int newKey) {
        lock.lock();
        try {
            posted++;
            show(newKey);
        } finally {
            lock.unlock();
        }
    }

    /** A registration that was posted won't be: the key is what it was. */
    public void registrationDropped() {
        lock.lock();
        try {
            posted--;
            show(key.key());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Carries out a registration that was posted.
     *
     * @param qpPd domain of the queue pair
     * @param newKey the key from now on
     * @param addr what the first byte is named by
     * @param access {@link AccessFlags} bits
     * @param from first address of each piece
     * @param length its length
     * @param lkey its region's key
     * @param count pieces
     * @return a {@link WcStatus} value; what fails changes nothing, and is still posted
     */
    public int register(
            ProtectionDomain qpPd,
            int newKey,
            long addr,
            int access,
            long[] from,
            int[] length,
            int[] lkey,
            int count) {
        lock.lock();
        try {
            if (closed || valid || qpPd != base) {
                return WcStatus.LOC_QP_OP_ERR;
            }
            boolean mayGoAway = false;
            pieces.clear();
            for (int i = 0; i < count; i++) {
                RxeMemoryRegion region = keys.admitPiece(lkey[i], base, from[i], length[i], (access & WRITES) != 0);
                if (region == null) {
                    release();
                    return WcStatus.LOC_PROT_ERR;
                }
                regions[used++] = region;
                pieces.add(region.at(from[i]), length[i]);
                mayGoAway |= region.mayGoAway();
            }
            key.open(newKey, base, addr, access, pieces, mayGoAway);
            valid = true;
            posted--;
            show(posted == 0 ? newKey : shown);
            return WcStatus.SUCCESS;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the memory back, where that is its key and it is valid; false where not. */
    boolean invalidate(int number, ProtectionDomain by) {
        lock.lock();
        try {
            boolean fits = valid && by == base && key.key() == number;
            if (fits) {
                free();
                show(shown);
            }
            return fits;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the key. */
    public void destroy() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                if (valid) {
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
        valid = false;
        release();
    }

    private void release() {
        while (used > 0) {
            regions[--used].release();
            regions[used] = null;
        }
    }

    private void show(int number) {
        shown = number;
        if (listener != null) {
            listener.changed(
                    pd, valid ? key.addr() : 0, valid ? key.length() : 0, valid ? key.access() : 0, number, number);
        }
    }
}
