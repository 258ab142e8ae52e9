/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.provider.mlx5.ring.CrossCounter;
import io.verbs4j.provider.mlx5.ring.ReceiveRing;

/**
 * Counts the receives of a queue pair that other queue pairs have enabled. Its lock is taken after that of cross
 * channel.
 */
final class ManagedReceives implements CrossCounter {
    private final int qpNum;
    private final ReceiveRing ring;
    private final RingLock lock;

    ManagedReceives(int qpNum, ReceiveRing ring, RingLock lock) {
        this.qpNum = qpNum;
        this.ring = ring;
        this.lock = lock;
        ring.manage();
    }

    @Override
    public int number() {
        return qpNum;
    }

    @Override
    public int value() {
        boolean asOwner = lock.lock();
        try {
            return ring.enabled();
        } finally {
            lock.unlock(asOwner);
        }
    }

    @Override
    public boolean advance(int count) {
        boolean asOwner = lock.lock();
        try {
            return ring.enable(count);
        } finally {
            lock.unlock(asOwner);
        }
    }

    @Override
    public void back(int value) {
        boolean asOwner = lock.lock();
        try {
            ring.enabledAgain(value);
        } finally {
            lock.unlock(asOwner);
        }
    }
}
