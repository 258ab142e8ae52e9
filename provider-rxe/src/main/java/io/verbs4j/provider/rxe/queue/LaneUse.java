/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/** Whether device code has a queue. Once handed over, the program cannot post to it or poll it again. */
public final class LaneUse {
    private boolean handedOver; // plain: the data path reads it
    private volatile boolean released = true;

    /** Creates an instance for a queue that is the program's. */
    public LaneUse() {}

    /** Returns whether device code has, or had, the queue. */
    public boolean isHandedOver() {
        return handedOver;
    }

    /** Hands the queue over. */
    public void handOver() {
        released = false;
        handedOver = true;
    }

    /** Notes that device code no longer uses the queue. */
    public void release() {
        released = true;
    }

    /**
     * Checks that the queue can be destroyed.
     *
     * @throws VerbsException {@link Errno#EBUSY} while device code uses it
     */
    public void requireReleased(String verb, String what) {
        if (!released) {
            throw new VerbsException(Errno.EBUSY, verb, "device code has " + what + "; close its DeviceRing first");
        }
    }
}
