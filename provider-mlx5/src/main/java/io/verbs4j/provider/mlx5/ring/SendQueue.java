/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.rdmacore.object.BadWr;
import java.util.function.ToIntFunction;

/** A send queue and its lock: lists of work requests go through {@link #post}, builders through {@link #begin} and {@link #end}. */
public final class SendQueue {
    private final SendRing ring;
    private final RingLock lock;
    private boolean open;
    private boolean asOwner;

    /** A queue that nothing can be posted to yet; the ring is null where nothing ever can. */
    public SendQueue(SendRing ring, RingLock lock) {
        this.ring = ring;
        this.lock = lock;
    }

    /** The lock. */
    public RingLock lock() {
        return lock;
    }

    /** Posts a list; 0 or an errno. */
    public int post(SendWorkRequest first, SendWorkRequest[] badWr) {
        if (first != null) {
            boolean owner = lock.lock();
            try {
                if (open) {
                    return ring.post(first, badWr);
                }
            } finally {
                lock.unlock(owner);
            }
        }
        return BadWr.tell(first, badWr, Errno.EINVAL);
    }

    /** Posts something else with the lock held; 0 or an errno. */
    public int post(ToIntFunction<SendRing> body) {
        boolean owner = lock.lock();
        try {
            return open ? body.applyAsInt(ring) : Errno.EINVAL;
        } finally {
            lock.unlock(owner);
        }
    }

    /** What a builder writes to, between {@link #begin} and {@link #end}; null where nothing can ever be posted. */
    public SendRing ring() {
        return ring;
    }

    /**
     * Takes the lock for a builder, which gives it back by {@link #end}. Until then this thread can post in no other way.
     *
     * @return false where nothing can be posted; then there is nothing to give back
     */
    public boolean begin() {
        if (lock.isBuilding()) {
            return false; // by another builder
        }
        boolean owner = lock.lock();
        if (!open) {
            lock.unlock(owner);
            return false;
        }
        asOwner = owner;
        open = false;
        lock.startBuilding(owner);
        ring.start();
        return true;
    }

    /** Gives the lock back; what was built since {@link #begin} is posted, or forgotten. */
    public void end(boolean posts) {
        if (posts) {
            ring.ring();
        } else {
            ring.forget();
        }
        lock.endBuilding();
        open = true;
        lock.unlock(asOwner);
    }

    /** Takes note of whether requests can be posted now. The lock is held. */
    public void setOpen(boolean value) {
        open = value && ring != null;
    }

    /** The queue pair went to RESET. The lock is held. */
    public void reset() {
        if (ring != null) {
            ring.reset();
        }
    }
}
