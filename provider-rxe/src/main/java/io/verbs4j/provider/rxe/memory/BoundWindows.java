/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/** The type 2 windows that are bound on a queue pair. All methods are thread-safe. */
public final class BoundWindows {
    private QpWindow first;

    /** Creates an empty set. */
    public BoundWindows() {}

    /** Adds a window; the caller holds the window's lock. */
    synchronized void add(QpWindow window) {
        window.previousBound = null;
        window.nextBound = first;
        if (first != null) {
            first.previousBound = window;
        }
        first = window;
    }

    /** Removes a window that is in the set; the caller holds the window's lock. */
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

    /** Frees all windows when the queue pair ends or is reset. Nothing may be bound meanwhile. */
    public void free() {
        for (QpWindow window = first(); window != null; window = first()) {
            window.freeFrom(this);
        }
    }
}
