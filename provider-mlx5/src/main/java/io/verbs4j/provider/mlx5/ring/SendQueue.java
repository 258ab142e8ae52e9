/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.rdmacore.object.BadWr;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;

/** A send queue and its lock: lists of work requests and the requests of builders go through {@link #post}. */
public final class SendQueue {
    private final SendRing ring;
    private final RingLock lock;

    /** Creates a queue to which nothing can be posted yet; the ring is null if nothing ever can. */
    public SendQueue(SendRing ring, RingLock lock) {
        this.ring = ring;
        this.lock = lock;
    }

    /** Returns the ring; null if nothing can be posted. */
    public SendRing ring() {
        return ring;
    }

    /** Returns the lock. */
    public RingLock lock() {
        return lock;
    }

    /**
     * Posts a list to a ring, which may be null, under its lock; returns 0 or an errno. Callers keep ring and lock
     * themselves, which avoids an intermediate object.
     */
    public static int post(SendRing ring, RingLock lock, SendWorkRequest first, SendWorkRequest[] badWr) {
        if (first != null && ring != null) {
            boolean owner = lock.lock();
            try {
                if (ring.isOpen()) {
                    return ring.post(first, badWr);
                }
                if (ring.isHandedOver()) {
                    return BadWr.tell(first, badWr, Errno.EBUSY);
                }
            } finally {
                lock.unlock(owner);
            }
        }
        return BadWr.tell(first, badWr, Errno.EINVAL);
    }

    /** Posts the requests of a builder, all or none; returns 0 or an errno. */
    public static int post(SendRing ring, RingLock lock, SendBuilder builder) {
        if (ring == null) {
            return Errno.EINVAL;
        }
        boolean owner = lock.lock();
        try {
            return ring.isOpen() ? BuiltSends.post(ring, builder) : refusal(ring);
        } finally {
            lock.unlock(owner);
        }
    }

    /** Posts something else with the lock held; returns 0 or an errno. */
    public int post(ToIntFunction<SendRing> body) {
        boolean owner = lock.lock();
        try {
            return isOpen() ? body.applyAsInt(ring) : refusal(ring);
        } finally {
            lock.unlock(owner);
        }
    }

    /** Posts one vendor-specific request through its writer; returns 0 or an errno. */
    public <T> int post(T request, ToIntBiFunction<SendRing, T> writer) {
        boolean owner = lock.lock();
        try {
            if (!isOpen()) {
                return refusal(ring);
            }
            ring.start();
            int error = writer.applyAsInt(ring, request);
            if (error == 0) {
                ring.ring();
            }
            return error;
        } finally {
            lock.unlock(owner);
        }
    }

    private static int refusal(SendRing ring) {
        return ring != null && ring.isHandedOver() ? Errno.EBUSY : Errno.EINVAL;
    }

    /**
     * Hands the queue over to device code, for good. Posting fails with EBUSY from then on.
     *
     * @return where the queue is, and where it stands
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if device code cannot write such descriptors; {@link Errno#EBUSY}
     *     if requests are outstanding or the queue was handed over before
     */
    public HandedSends handOver() {
        boolean owner = lock.lock();
        try {
            if (ring == null || !ring.isPlainConnected()) {
                throw new VerbsException(
                        Errno.EOPNOTSUPP, HandedSends.VERB, "device code posts only to queue pairs of types RC and UC");
            }
            if (ring.isHandedOver()) {
                throw new VerbsException(Errno.EBUSY, HandedSends.VERB, "device code already has this queue pair");
            }
            if (!ring.isEmpty()) {
                throw new VerbsException(
                        Errno.EBUSY, HandedSends.VERB, "requests are outstanding; poll their completions first");
            }
            ring.handOver();
            return ring.handed();
        } finally {
            lock.unlock(owner);
        }
    }

    /** Returns whether device code has the queue. */
    public boolean isHandedOver() {
        boolean owner = lock.lock();
        try {
            return ring != null && ring.isHandedOver();
        } finally {
            lock.unlock(owner);
        }
    }

    /**
     * Rings the doorbell for device code.
     *
     * @param upTo index before which the device may read all descriptors
     */
    public void ringFor(long upTo) {
        boolean owner = lock.lock();
        try {
            ring.ringFor((int) upTo);
        } finally {
            lock.unlock(owner);
        }
    }

    private boolean isOpen() {
        return ring != null && ring.isOpen();
    }

    /** Sets whether requests can be posted now. The lock is held. */
    public void setOpen(boolean value) {
        if (ring != null) {
            ring.setOpen(value);
        }
    }

    /** Resets the queue after the queue pair moved to RESET. The lock is held. */
    public void reset() {
        if (ring != null) {
            ring.reset();
        }
    }
}
