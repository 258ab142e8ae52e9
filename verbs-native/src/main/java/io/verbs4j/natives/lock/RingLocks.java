/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.lock;

import io.verbs4j.natives.call.ProcessBarrier;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The locks of a context's rings. A thread that holds one may read registered memory and open address handles without
 * pinning them: a thread that removes either waits here for all operations that may have begun before.
 */
public final class RingLocks {
    private final boolean singleThreaded;
    private final Set<RingLock> locks = ConcurrentHashMap.newKeySet();

    /** Creates an empty set; its locks are for one thread at a time, or for many. */
    public RingLocks(boolean singleThreaded) {
        this.singleThreaded = singleThreaded;
    }

    /** Creates a lock. */
    public RingLock make() {
        return make(false);
    }

    /**
     * Creates a lock. The program may have promised that this one is for one thread at a time, whatever the others are.
     */
    public RingLock make(boolean oneThread) {
        RingLock lock = new RingLock(singleThreaded || oneThread);
        locks.add(lock);
        return lock;
    }

    /** Removes the lock of a destroyed ring. */
    public void remove(RingLock lock) {
        locks.remove(lock);
    }

    /** Waits until every lock has been free at least once since the call. */
    public void awaitAll() {
        ProcessBarrier.run();
        for (RingLock lock : locks) {
            lock.awaitLeft();
        }
    }
}
