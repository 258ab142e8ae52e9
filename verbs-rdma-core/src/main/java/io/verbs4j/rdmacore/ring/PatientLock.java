/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.ring;

import io.verbs4j.natives.lock.Nap;
import io.verbs4j.natives.lock.RingLock;

/** A ring's lock for rare operations that wait: the holder lets other threads have it meanwhile. */
final class PatientLock {
    /** Number of spins before a thread sleeps between its attempts. */
    private static final int SPINS = 50;

    private static final long NAP_NANOS = 20_000;

    private final RingLock lock;
    private boolean asOwner; // the holder's argument for unlock

    PatientLock(RingLock lock) {
        this.lock = lock;
    }

    /** As {@link RingLock#lockOnce}. */
    void lock() {
        boolean owner = lock.lockOnce();
        asOwner = owner; // written with the lock held: before, it is another thread's
    }

    /** Releases the lock. */
    void unlock() {
        lock.unlock(asOwner);
    }

    /** Releases the lock to other threads for a while: {@link io.verbs4j.rdmacore.object.ReadingTurn.Gap#pass}. */
    void pass(int round) {
        unlock();
        if (round < SPINS) {
            Thread.onSpinWait();
        } else {
            Nap.nanos(NAP_NANOS);
        }
        lock();
    }
}
