/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/** The windows of type 2 that are bound on a queue pair. All methods are safe for any thread. */
public final class BoundWindows {
    private QpWindow first;

    /** Makes it, without windows. */
    public BoundWindows() {}

    /** Adds a window, whose lock is held. */
    synchronized void add(QpWindow window) {
        window.previousBound = null;
        window.nextBound = first;
        if (first != null) {
            first.previousBound = window;
        }
        first = window;
    }

    /** Removes a window that is in it, whose lock is held. */
    synchronized void remove(QpWindow window) {
        if (window.previousBound == null) {
            first = window.nextBound;
        } else {
            window.previousBound.nextBound = window.nextBound;
        }
        if (window.nextBound != null) {
            window.nextBound.previousBound = window.previousBound;
        }
        window.previousBound = null;
        window.nextBound = null;
    }

    private synchronized QpWindow first() {
        return first;
    }

    /** Frees all windows: the queue pair ends, or begins anew. Nothing may be bound meanwhile. */
    public void free() {
        for (QpWindow window = first(); window != null; window = first()) {
            window.freeFrom(this);
        }
    }
}
