/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.WcStatus;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A key that work requests register memory with and invalidate. It is either free or valid. Pieces of regions of its
 * domain become one range of memory; these regions can't be deregistered while the key is valid.
 */
public final class FastKey {
    private static final int WRITES = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    /** Not a monitor, because ending the key waits until no thread touches the memory. */
    private final ReentrantLock lock = new ReentrantLock();

    private final MemoryKeys keys;
    private final ProtectionDomain pd;

    /** The domain that may use the key; for a parent domain, the underlying one. */
    private final ProtectionDomain base;

    private final int maxEntries;
    private final MemoryKey key;
    private final Pieces pieces;
    private final RxeMr[] regions;
    private int used;

    /** The number that the handle reports: after a post, the number posted last. */
    private int shown;

    private RxeMr.Listener listener;
    private boolean valid;
    private boolean closed;

    /** Registrations that were posted but not carried out yet. */
    private int posted;

    FastKey(MemoryKeys keys, ProtectionDomain pd, int maxEntries) {
        this.keys = keys;
        this.pd = pd;
        this.base = Domains.root(pd);
        this.maxEntries = maxEntries;
        this.pieces = new Pieces(maxEntries);
        this.regions = new RxeMr[maxEntries];
        this.key = keys.add(this);
        this.shown = key.key();
    }

    void onChange(RxeMr.Listener newListener) {
        listener = newListener;
    }

    ProtectionDomain pd() {
        return pd;
    }

    int shown() {
        return shown;
    }

    /** {@return the maximum number of pieces} */
    public int maxEntries() {
        return maxEntries;
    }

    /**
     * Returns whether a registration with this number can be posted: the number is one of this key's, and the key is
     * open.
     */
    public boolean takesNumber(int newKey) {
        lock.lock();
        try {
            return !closed && (newKey ^ key.key()) >>> MemoryKeys.TAG_BITS == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Counts a posted registration; the handle reports the new number from here on. */
    public void registrationPosted(int newKey) {
        lock.lock();
        try {
            posted++;
            show(newKey);
        } finally {
            lock.unlock();
        }
    }

    /** Uncounts a posted registration that will not be carried out; the handle reports the current number again. */
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
     * Carries out a posted registration.
     *
     * @param qpPd domain of the queue pair
     * @param newKey the key's new number
     * @param addr address by which work requests name the first byte
     * @param access {@link AccessFlags} bits
     * @param from first address of each piece
     * @param length length of each piece
     * @param lkey local key of each piece's region
     * @param count number of pieces
     * @return a {@link WcStatus} value; on failure nothing changes and the registration still counts as posted
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
                RxeMr region = keys.admitPiece(lkey[i], base, from[i], length[i], (access & WRITES) != 0);
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

    /** Invalidates the key if {@code number} is its number and it is valid; otherwise returns false. */
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
