/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode;

import io.verbs4j.VerbsException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that rings doorbells for lanes that cannot: it reads an index that lanes write, and rings by the provider's
 * own code. It spins while there is work, then sleeps for longer and longer, up to 50 microseconds. Thread-safe.
 */
public final class CpuProxy implements AutoCloseable {
    private static final int SPINS = 10_000;
    private static final long LONGEST_NANOS = 50_000;

    private final List<DeviceRing> rings = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::run, "verbs4j-device-code-proxy");
    private volatile boolean closed;

    /** Starts the thread, a daemon. */
    public CpuProxy() {
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Starts to ring for the lanes of a ring. Lanes that start after this call leave ringing to this thread.
     *
     * @param ring the ring; no other proxy may serve it
     * @return this
     * @throws VerbsException {@link io.verbs4j.Errno#EOPNOTSUPP} if the host cannot ring for that queue
     */
    public CpuProxy add(DeviceRing ring) {
        ring.useProxy();
        rings.add(ring);
        LockSupport.unpark(thread);
        return this;
    }

    /**
     * Stops serving a ring. When this returns, the thread no longer reads it.
     *
     * @param ring the ring
     */
    public void remove(DeviceRing ring) {
        if (rings.remove(ring)) {
            synchronized (ring) { // waits for a call of ring() that is under way
                LockSupport.unpark(thread);
            }
        }
    }

    private void run() {
        int idle = 0;
        while (!closed) {
            boolean rang = false;
            for (DeviceRing ring : rings) {
                rang |= ring.ring();
            }
            idle = rang ? 0 : idle + 1;
            if (rings.isEmpty()) {
                LockSupport.park(this);
            } else if (idle > SPINS) {
                LockSupport.parkNanos(this, Math.min(LONGEST_NANOS, (idle - SPINS) * 100L));
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** Stops the thread, and waits for it. An interrupt ends the wait and stays set. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
