/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.lanes;

import io.verbs4j.WcStatus;
import io.verbs4j.devicecode.spi.RingIndices;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that executes what lanes write: the part of an adapter that reads descriptors and writes completions. It
 * spins while there is work, then sleeps for longer and longer, up to 50 microseconds.
 */
final class LaneEngine {
    private static final int SPINS = 5_000;
    private static final long LONGEST_NANOS = 50_000;
    private static final long STEP_NANOS = 100;

    private final LaneRequests requests; // null if lanes only read completions
    private final LaneCompletions completions;
    private final Thread thread;
    private RingIndices indices;
    private volatile boolean stopped;

    /** Creates the engine; {@code what} names its queue in the thread's name. */
    LaneEngine(LaneRequests requests, LaneCompletions completions, String what) {
        this.requests = requests;
        this.completions = completions;
        thread = new Thread(this::run, "verbs4j-lanes of " + what);
        thread.setDaemon(true);
    }

    void start(RingIndices shared) {
        indices = shared;
        thread.start();
    }

    /** Stops the thread and waits for it. An interrupt ends the wait and stays set. */
    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        int idle = 0;
        while (!stopped) {
            int done = requests == null ? 0 : post();
            done += completions.move(indices.consumed());
            idle = done == 0 ? idle + 1 : 0;
            if (idle > SPINS) {
                LockSupport.parkNanos(this, Math.min(LONGEST_NANOS, (idle - SPINS) * STEP_NANOS));
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private int post() {
        int done = requests.post(indices.wanted());
        int errno = requests.error();
        if (errno != 0 && requests.isDrained()) {
            while (completions.move(indices.consumed()) != 0) { // those of earlier requests come first
                done++;
            }
            completions.fail(requests.skip(), WcStatus.LOC_QP_OP_ERR, errno, requests.qpNum());
            done++;
        }
        return done;
    }
}
