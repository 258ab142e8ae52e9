/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.lock;

import io.verbs4j.natives.call.ProcessBarrier;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The locks of a context's rings. Who holds one may read memory that is registered, and address handles that are open,
 * without pinning them: whoever takes those away waits here for all that may have begun before.
 */
public final class RingLocks {
    private final boolean singleThreaded;
    private final Set<RingLock> locks = ConcurrentHashMap.newKeySet();

    /** None; those to be made are for one thread at a time, or for many. */
    public RingLocks(boolean singleThreaded) {
        this.singleThreaded = singleThreaded;
    }

    /** Makes a lock. */
    public RingLock make() {
        return make(false);
    }

    /** Makes a lock, which the program may have said is for one thread at a time, whatever the others are. */
    public RingLock make(boolean oneThread) {
        RingLock lock = new RingLock(singleThreaded || oneThread);
        locks.add(lock);
        return lock;
    }

    /** Forgets the lock of a ring that is gone. */
    public void remove(RingLock lock) {
        locks.remove(lock);
    }

    /** Waits until every lock was free once, seen from now. */
    public void awaitAll() {
        ProcessBarrier.run();
        for (RingLock lock : locks) {
            lock.awaitLeft();
        }
    }
}
