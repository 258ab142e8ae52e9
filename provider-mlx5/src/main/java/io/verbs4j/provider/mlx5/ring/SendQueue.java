/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.Errno;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.rdmacore.object.BadWr;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;

/** A send queue and its lock: lists of work requests, and what builders have gathered, go through {@link #post}. */
public final class SendQueue {
    private final SendRing ring;
    private final RingLock lock;

    /** A queue that nothing can be posted to yet; the ring is null where nothing ever can. */
    public SendQueue(SendRing ring, RingLock lock) {
        this.ring = ring;
        this.lock = lock;
    }

    /** The ring; null where nothing can be posted. */
    public SendRing ring() {
        return ring;
    }

    /** The lock. */
    public RingLock lock() {
        return lock;
    }

    /** Posts a list to a ring, which may be null, with its lock; 0 or an errno. Who posts keeps both: so there is no object between. */
    public static int post(SendRing ring, RingLock lock, SendWorkRequest first, SendWorkRequest[] badWr) {
        if (first != null && ring != null) {
            boolean owner = lock.lock();
            try {
                if (ring.isOpen()) {
                    return ring.post(first, badWr);
                }
            } finally {
                lock.unlock(owner);
            }
        }
        return BadWr.tell(first, badWr, Errno.EINVAL);
    }

    /** Posts what a builder has gathered, as that: all, or nothing; 0 or an errno. */
    public static int post(SendRing ring, RingLock lock, SendBuilder builder) {
        if (ring == null) {
            return Errno.EINVAL;
        }
        boolean owner = lock.lock();
        try {
            return ring.isOpen() ? BuiltSends.post(ring, builder) : Errno.EINVAL;
        } finally {
            lock.unlock(owner);
        }
    }

    /** Posts something else with the lock held; 0 or an errno. */
    public int post(ToIntFunction<SendRing> body) {
        boolean owner = lock.lock();
        try {
            return isOpen() ? body.applyAsInt(ring) : Errno.EINVAL;
        } finally {
            lock.unlock(owner);
        }
    }

    /** Posts one request of a vendor's own by what writes it; 0 or an errno. */
    public <T> int post(T request, ToIntBiFunction<SendRing, T> writer) {
        boolean owner = lock.lock();
        try {
            if (!isOpen()) {
                return Errno.EINVAL;
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

    private boolean isOpen() {
        return ring != null && ring.isOpen();
    }

    /** Takes note of whether requests can be posted now. The lock is held. */
    public void setOpen(boolean value) {
        if (ring != null) {
            ring.setOpen(value);
        }
    }

    /** The queue pair went to RESET. The lock is held. */
    public void reset() {
        if (ring != null) {
            ring.reset();
        }
    }
}
