/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.ring;

import io.verbs4j.natives.lock.Nap;
import io.verbs4j.natives.lock.RingLock;

/** A ring's lock for what is done rarely, and waits with it: who has it lets others have it meanwhile. */
final class PatientLock {
    /** How often a thread looks again at once, before it sleeps in between. */
    private static final int SPINS = 50;

    private static final long NAP_NANOS = 20_000;

    private final RingLock lock;
    private boolean asOwner; // what the one who has it now is to give back

    PatientLock(RingLock lock) {
        this.lock = lock;
    }

    /** As {@link RingLock#lockOnce}. */
    void lock() {
        boolean owner = lock.lockOnce();
        asOwner = owner; // not before it is had: until then it is another's
    }

    /** Gives it back. */
    void unlock() {
        lock.unlock(asOwner);
    }

    /** Lets others have it for a while: {@link io.verbs4j.rdmacore.object.ReadingTurn.Gap#pass}. */
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
